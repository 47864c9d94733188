/* emit: 1 */
#include <stdio.h>
#include <stdlib.h>

/* Rows of `bias`, which is only read, lie along the same key as those of H. */
static void train(const int *u, const int *v, long *W, long *H, const long *bias, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        long s = 0;
        for (int k = 0; k < 4; k++)
            s += bias[v[i] * 4 + k];
        W[u[i]] = (W[u[i]] + s * i) % 10007;
        H[v[i]] = (H[v[i]] + s + i * 5) % 10009;
    }
}

int main(void) {
    int n = 6000, *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v);
    long *W = calloc(60, sizeof *W), *H = calloc(50, sizeof *H), mix = 0;
    long *bias = malloc(50 * 4 * sizeof *bias);
    for (int i = 0; i < n; i++)
        u[i] = i * 7 % 60, v[i] = i / 3 * 11 % 50;
    for (int i = 0; i < 200; i++)
        bias[i] = i * i % 97;
    for (int pass = 0; pass < 6; pass++) {
        train(u, v, W, H, bias, n);
        if (pass % 2 == 0)
            bias[pass * 30 + 1] += pass + 5;
        for (int i = 0; i < 50; i++)
            mix = (mix * 31 + W[i] + H[i] + bias[i]) % 1000003;
        if (pass == 4)
            u[77] = 3, H[8] = 1;
    }
    printf("%ld\n", mix);
    free(u), free(v), free(W), free(H), free(bias);
    return 0;
}
