/* same: 3 */
/* The value of a row is read once for it, and the nest changes the array that it comes from: one array has two names in
 * some calls. A nest that became one loop over records reads the value for each record. */
#include <stdio.h>

enum { N = 60, P = 400, I = 50 };
static int ptr[N + 1], col[P];
static unsigned val[P], x[N + 1], y[I], z[N + 1];

static void values(unsigned *X, unsigned *Y, const unsigned *B, int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u) { // one value for each row
        unsigned b = B[u];
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            X[u] += b; /* not "b" again */
            X[u] = X[u] * 3u + Y[col[p]] + val[p];
            Y[col[p]] = Y[col[p]] * 5u + X[u];
        }
    }
}

static int counter_outside(unsigned *X, unsigned *Y, const unsigned *B, int n) {
    int u;
#pragma orrery parallel
    for (u = 0; u < n; ++u) {
        const unsigned b = B[u] + 1, c = b * 2;
        for (int p = ptr[u]; p < ptr[u + 1]; p++) {
            X[u] = X[u] * c + Y[col[p]] + b;
            Y[col[p]] = Y[col[p]] * 5u + X[u];
        }
    }
    return u;
}

static void lengths(unsigned *X, unsigned *Y, unsigned *length, int n) {
#pragma orrery parallel
    for (int u = 0; u < n; ++u)
        for (unsigned p = 0; p < length[u]; p++) {
            X[u] = X[u] > 3 ? X[u] - 1 : X[u];
            Y[col[p]] = Y[col[p]] * 5u + X[u];
        }
}

static unsigned all(void) {
    unsigned h = 7;
    for (int i = 0; i <= N; ++i)
        h = (h * 31u + x[i]) * 31u + z[i];
    for (int i = 0; i < I; ++i)
        h = h * 31u + y[i];
    return h;
}

int main(void) {
    for (int i = 0; i < P; ++i)
        col[i] = i * 7 % I, val[i] = (unsigned)i * 13u;
    for (int i = 0; i <= N; ++i)
        ptr[i] = i * 5, x[i] = (unsigned)i % 9u, z[i] = (unsigned)i % 7u;
    for (int pass = 0; pass < 2; ++pass) {
        values(x, y, z, N);
        printf("%u\n", all());
        values(x, y, x, N);
        printf("%u\n", all());
        printf("%d %u\n", counter_outside(z, y, z, N), all());
        printf("%d %u\n", counter_outside(z, y, x, N), all());
        for (int i = 0; i <= N; ++i)
            x[i] = (unsigned)i % 9u, z[i] = (unsigned)i % 11u;
        lengths(x, y, z, N);
        printf("%u\n", all());
        lengths(z, y, z, N);
        printf("%u\n", all());
    }
    return 0;
}
