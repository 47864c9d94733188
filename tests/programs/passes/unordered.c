/* Passes of all the strategies that take any order:
 * products modulo a prime are the same in each. */
#include <stdio.h>
#include <stdlib.h>

struct cell {
    int a, b, c;
    unsigned value;
};
enum { N = 9000, A = 90, B = 47, C = 5, K = 3, P = 10007 };

static void times(unsigned *x, unsigned by) {
    for (int k = 0; k < K; ++k)
        x[k] = x[k] * by % P;
}

static void rotation(const struct cell *r, long n, unsigned *X, unsigned *Y) {
    for (unsigned pass = 1; pass < 8; ++pass) {
        /* flow */
#pragma orrery parallel unordered
        for (long i = 0; i < n; ++i) {
            times(X + (long)r[i].a * K, r[i].value + pass);
            times(Y + (long)r[i].b * K, r[i].value + 2 * pass);
        }
    }
}

static void three(const struct cell *r, long n, unsigned *X, unsigned *Y, unsigned *Z) {
    for (unsigned pass = 1; pass < 6; ++pass) {
        /* flow */
#pragma orrery parallel unordered
        for (long i = 0; i < n; ++i) {
            times(X + (long)r[i].a * K, r[i].value + pass);
            times(Y + (long)r[i].b * K, r[i].value + 2 * pass);
            times(Z + (long)r[i].c * K, r[i].value + 3 * pass);
        }
    }
}

static void tournament(const struct cell *r, long n, unsigned *X) {
    for (unsigned pass = 1; pass < 6; ++pass) {
        /* flow */
#pragma orrery parallel unordered
        for (long i = 0; i < n; ++i) {
            times(X + (long)r[i].a * K, r[i].value + pass);
            times(X + (long)r[i].b * K, r[i].value + 2 * pass);
        }
    }
}

static void one_key(const struct cell *r, long n, unsigned *X) {
    for (unsigned pass = 1; pass < 6; ++pass) {
        /* flow */
#pragma orrery parallel
        for (long i = 0; i < n; ++i)
            X[r[i].a] = (X[r[i].a] * 3 + r[i].value + pass) % P;
    }
}

static void rows(const int *ptr, const struct cell *r, unsigned *X, unsigned *Y) {
    for (unsigned pass = 1; pass < 6; ++pass) {
        unsigned sum = 0;
        /* wait: its rows are looked at in front of each */
#pragma orrery parallel unordered
        for (int u = 0; u < A; ++u)
            for (int p = ptr[u]; p < ptr[u + 1]; ++p) {
                sum += r[p].value;
                times(X + (long)u * K, r[p].value + pass);
                times(Y + (long)r[p].b * K, r[p].value + 2 * pass);
            }
        X[0] = (X[0] + sum) % P;
    }
}

static unsigned mixed(const unsigned *x, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + x[i];
    return sum;
}

int main(void) {
    struct cell *r = malloc(N * sizeof *r);
    unsigned *X = malloc(A * K * sizeof *X), *Y = malloc(B * K * sizeof *Y);
    unsigned *Z = malloc(C * K * sizeof *Z);
    for (int i = 0; i < A * K; ++i)
        X[i] = (unsigned)i + 1;
    for (int i = 0; i < B * K; ++i)
        Y[i] = (unsigned)(3 * i) + 1;
    for (int i = 0; i < C * K; ++i)
        Z[i] = (unsigned)(5 * i) + 1;
    for (int i = 0; i < N; ++i)
        r[i] = (struct cell){i * 7919 % A, i * i % B, i * 31 % C, (unsigned)(i % 29) + 1};
    rotation(r, N, X, Y);
    printf("%u %u\n", mixed(X, A * K), mixed(Y, B * K));
    three(r, N, X, Y, Z);
    printf("%u %u %u\n", mixed(X, A * K), mixed(Y, B * K), mixed(Z, C * K));
    tournament(r, N, X);
    one_key(r, N, X);
    printf("%u\n", mixed(X, A * K));
    int *ptr = malloc((A + 1) * sizeof *ptr);
    for (int u = 0; u <= A; ++u)
        ptr[u] = u * (N / A);
    rows(ptr, r, X, Y);
    printf("%u %u\n", mixed(X, A * K), mixed(Y, B * K));
    free(ptr), free(r), free(X), free(Y), free(Z);
    return 0;
}
