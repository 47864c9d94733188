/*
 * Keys of loops that run no time are not used, and may be anything.
 */
#include <stdio.h>

enum { N = 3000 };
static int ix[N], iy[N], times[N];
static double H[64] = {1}, W[64] = {2};

__attribute__((noinline)) static void counted(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            H[ix[i]] = H[ix[i]] * 3 + j;
}

__attribute__((noinline)) static void whiles(int n, int m) {
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < m) {
            H[ix[i]] = H[ix[i]] * .5 + j;
            j++;
        }
    }
}

__attribute__((noinline)) static void two_keys(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            H[ix[i]] = H[ix[i]] * .5 + W[iy[i]];
            W[iy[i]] = W[iy[i]] * .25 + H[ix[i]];
        }
}

/* The last iterations have a key and no length. */
__attribute__((noinline)) static void of_length(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < times[i]; j++)
            H[ix[i]] = H[ix[i]] * .5 + i;
}

static void callee(int i, int m) {
    for (int j = 0; j < m; j++)
        H[ix[i]] = H[ix[i]] * .5 + i;
}
__attribute__((noinline)) static void called(int n, int m) {
    for (int i = 0; i < n; i++)
        callee(i, m);
}

__attribute__((noinline)) static void sums(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            H[ix[i]] += j;
}

int main(void) {
    for (int i = 0; i < N; i++) {
        ix[i] = i % 3 ? -100000000 : 2147483647;
        iy[i] = 1 << i % 31;
    }
    counted(N, 0);
    whiles(N, 0);
    two_keys(N, 0);
    called(N, 0);
    sums(N, 0);
    of_length(N);
    for (int i = 0; i < N / 2; i++) {
        ix[i] = i * 7 % 64;
        times[i] = i % 3;
    }
    of_length(N);
    counted(N / 2, 2);
    double s = 0;
    for (int i = 0; i < 64; i++)
        s = s * .9 + H[i] + W[i];
    printf("%.17g\n", s);
    return 0;
}
