/* Negative sampling with a generator whose state is a global: every draw depends on the one before.
 * loop: serial ORR2201
 */
#include <stdio.h>
#include <stdlib.h>

unsigned long long next_random = 1;

static int draw(int n) {
    next_random = next_random * 25214903917ULL + 11;
    return (int)((next_random >> 16) % n);
}

int main(void) {
    int n = 200, items = 30;
    int *pos = malloc(n * sizeof *pos);
    float *in = calloc(n, sizeof *in), *out = malloc(items * sizeof *out);
    for (int i = 0; i < n; i++) pos[i] = i % items;
    for (int i = 0; i < items; i++) out[i] = i * .1f;
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        int neg = draw(items);
        in[i] += out[pos[i]] - out[neg];
    }
    float s = 0;
    for (int i = 0; i < n; i++) s += in[i];
    printf("%.4f\n", s);
    return 0;
}
