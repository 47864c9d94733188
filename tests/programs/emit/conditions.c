/* emit: 8, one rank */
#include <stdio.h>

enum { N = 4000 };

/* What two iterations touch depends on conditions, divisions and choices. */
static void odd(long *a, int n) {
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        if (i % 2)
            a[i] = a[i - 1] * 3 + 1;
}

static void skip(long *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (!(i & 1))
            continue;
        a[i] += a[i - 1] % 1000;
    }
}

static void halves(long *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (i < m)
            a[i] = a[i + m] % 999 + 1;
}

static void reverse(long *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n / 2; i++) {
        long t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

static void reverse_down(long *a, int n) {
#pragma orrery parallel
    for (int i = (n >> 1) - 1; i >= 0; i--) {
        long t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
    }
}

static void tiles(long *a, int n) {
#pragma orrery parallel
    for (int b = 0; b < n; b += 48)
        for (int j = b; j < (b + 48 < n ? b + 48 : n); j++)
            a[j] = a[j] % 12345 + (j > b ? a[j - 1] % 7 : 1);
}

static void spread(long *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[2 * i + i % 2] += i;
}

static void mirror(long (*m)[60], int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (j > i)
                m[i][j] = m[j][i] + 1;
}

int main(void) {
    static long a[2 * N + 2], m[60][60];
    long mix = 0;
    for (int i = 0; i < 2 * N + 2; i++)
        a[i] = i * 37L % 1009;
    for (int i = 0; i < 3600; i++)
        m[i / 60][i % 60] = i * 13L % 101;
    for (int pass = 0; pass < 3; pass++) {
        odd(a, N);
        skip(a, N - 3);
        halves(a, N, N / 2);
        reverse(a, N - pass);
        reverse_down(a, N - 5);
        tiles(a, N - 1);
        spread(a, N);
        mirror(m, 57);
    }
    for (int i = 0; i < 2 * N + 2; i++)
        mix = (mix * 31 + a[i]) % 1000003;
    for (int i = 0; i < 3600; i++)
        mix = (mix * 31 + m[i / 60][i % 60]) % 1000003;
    printf("%ld\n", mix);
    return 0;
}
