/* emit: 2 */
/* The bytes of an array of numbers, one by one: the size of a number is no row of the text, and
 * nothing has to stay below it. */
#include <stdio.h>
#include <stdlib.h>

static void clear(double *d, int n) {
    unsigned char *bytes = (unsigned char *)d;
#pragma orrery parallel
    for (int i = 0; i < n * 8; ++i)
        bytes[i] = (unsigned char)(i * 7);
}

/* Here it is one. */
static void mark(double *d, int n, int width) {
    unsigned char *bytes = (unsigned char *)d;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < width; ++k)
            bytes[i * 8 + k] ^= (unsigned char)k;
}

int main(void) {
    int n = 4000;
    double *d = malloc(n * sizeof *d);
    unsigned long hash = 0;
    clear(d, n);
    mark(d, n, 8);
    for (int i = 0; i < n * 8; ++i)
        hash = hash * 31 + ((unsigned char *)d)[i];
    printf("%lx\n", hash);
    free(d);
    return 0;
}
