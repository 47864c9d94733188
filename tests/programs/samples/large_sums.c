/* Sums into two large arrays, and a small one, pass after pass. */
#include <stdio.h>
#include <stdlib.h>
enum { BINS = 300000, N = 40000 };
static double h[BINS];
static unsigned m[BINS];
int main(void) {
    static int key[N], other[N];
    static double v[N];
    for (int i = 0; i < N; ++i)
        key[i] = (int)(i * 7919L % BINS), other[i] = (int)((long)i * i % 40000),
        v[i] = i * 0.37 - i % 13;
    for (int i = 0; i < BINS; ++i)
        h[i] = i % 7 * 0.1, m[i] = 3;
    for (int p = 0; p < 3; ++p) {
        double total = 0;
#pragma orrery parallel unordered
        for (int i = 0; i < N; ++i) {
            h[key[i] / 3] += v[i] * .1;
            m[other[i] * 7] ^= (unsigned)i;
            total += v[i];
        }
        printf("%.10g\n", total);
    }
    double s = 0;
    unsigned x = 0;
    for (int i = 0; i < BINS; ++i)
        s += h[i] * (i % 5), x = x * 31 + m[i];
    printf("%.15g %u\n", s, x);
}
