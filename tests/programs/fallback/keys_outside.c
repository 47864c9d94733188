/*
 * A key that is out of range, or far from the others, in iterations that do not use it.
 * says: iteration 51: ix.i. = 2305843009213694015 is out of range: a
 * marked: iteration 51: ix.i. = 2305843009213694015 is out of range: a
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };
static long ix[N];
static int on[N];
static double H[64] = {1};

static int is_on(int i) {
    return on[i];
}

/* `*at` is a way to the key, of which the loop that is not run has none. */
static void one(int i, int m) {
    for (int j = 0; j < m; j++)
        H[ix[i]] = H[ix[i]] * .5 + i;
}

__attribute__((noinline)) static void callee(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        one(i, is_on(i));
}

__attribute__((noinline)) static void wraps(char *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        *(double *)(a + (unsigned long)ix[i] * 8) =
            *(double *)(a + (unsigned long)ix[i] * 8) * .5 + i;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        on[i] = i % 7 != 3;
        ix[i] = on[i] ? i * 5 % 64 : 1000;
    }
    callee(N);
    for (int i = 0; i < N; i++)
        ix[i] = on[i] ? i * 5 % 64 : -1000;
    callee(N);
    for (int i = 0; i < N; i++)
        ix[i] = (long)((unsigned long)(i * 5 % 64) | (unsigned long)(i % 2) << 61);
    wraps((char *)H, N);
    for (int i = 0; i < N; i++)
        ix[i] = i * 5 % 64;
    wraps((char *)H, N);
    double s = 0;
    for (int i = 0; i < 64; i++)
        s = s * .9 + H[i];
    printf("%.17g\n", s);
    return 0;
}
