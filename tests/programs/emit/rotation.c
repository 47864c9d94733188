/* emit: 3 */
#include <stdio.h>
#include <stdlib.h>

struct rating {
    int user, item;
    unsigned value;
};
enum { K = 6, P = 10007 };

/* Products modulo a prime: every order of the iterations gives the same. */
static long flat(const struct rating *r, long n, unsigned *W, unsigned *H, int k_count) {
    long seen = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        unsigned *w = W + (size_t)r[i].user * k_count, *h = H + (size_t)r[i].item * k_count;
        for (int k = 0; k < k_count; ++k) {
            w[k] = w[k] * (r[i].value + 1) % P;
            h[k] = h[k] * (r[i].value + 2) % P;
        }
        seen++;
    }
    return seen;
}

static void rows(const struct rating *r, long n, unsigned **W, unsigned H[][K]) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        int u = r[i].user;
        for (int k = 0; k < K; ++k) {
            W[u][k] = W[u][k] * (r[i].value + 3) % P;
            H[r[i].item][k] = H[r[i].item][k] * (r[i].value + 4) % P;
        }
    }
}

static void columns(const struct rating *r, long n, unsigned *W, unsigned (*H)[40]) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        for (int k = 0; k < K; ++k) {
            W[r[i].user * K + k] = W[r[i].user * K + k] * (r[i].value + 5) % P;
            H[k][r[i].item] = H[k][r[i].item] * (r[i].value + 6) % P;
        }
}

static unsigned mix(const unsigned *x, int n) {
    unsigned sum = 0;
    for (int i = 0; i < n; ++i)
        sum = sum * 31 + x[i];
    return sum;
}

int main(void) {
    int users = 60, items = 40;
    long n = 4000;
    struct rating *r = malloc(n * sizeof *r);
    unsigned *W = malloc(users * K * sizeof *W), *H = malloc(items * K * sizeof *H);
    unsigned **rowsW = malloc(users * sizeof *rowsW);
    unsigned(*H2)[K] = malloc(items * sizeof *H2), (*H3)[40] = malloc(K * sizeof *H3);
    for (int u = 0; u < users; ++u) {
        rowsW[u] = malloc(K * sizeof **rowsW);
        for (int k = 0; k < K; ++k)
            rowsW[u][k] = W[u * K + k] = (unsigned)(u + k + 1);
    }
    for (int i = 0; i < items; ++i)
        for (int k = 0; k < K; ++k)
            H3[k][i] = H2[i][k] = H[i * K + k] = (unsigned)(i * k + 1);
    for (long i = 0; i < n; ++i)
        r[i] = (struct rating){(int)(i * 7919 % users), (int)(i * i % items), (unsigned)(i % 11)};
    long seen = 0;
    for (int pass = 0; pass < 3; ++pass) {
        seen += flat(r, n, W, H, K);
        rows(r, n, rowsW, H2);
        columns(r, n, W, H3);
    }
    printf("%ld %u %u %u %u", seen, mix(W, users * K), mix(H, items * K), mix(H2[0], items * K),
           mix(H3[0], items * K));
    for (int u = 0; u < users; u += 20)
        printf(" %u", mix(rowsW[u], K));
    printf("\n");
    for (int u = 0; u < users; ++u)
        free(rowsW[u]);
    free(r), free(W), free(H), free(rowsW), free(H2), free(H3);
    return 0;
}
