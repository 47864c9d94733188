/* Collapsed Gibbs sampling as the textbooks have it: one loop over tokens, counts behind `int **`,
 * topics in an array of their own.
 * loop: parallel rotation-2d
 * result: same
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double draw(uint64_t seed, uint64_t n) {
    uint64_t x = (seed * 0x10001 + n + 1) * 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

static void sweep(int seed, int N, const int *w, const int *d, int *z, int **nw, int **nd, int *nwsum, int *ndsum, int K,
                  int V, double alpha, double beta, double *p) {
#pragma orrery parallel unordered relax(nwsum)
    for (int i = 0; i < N; ++i) {
        int topic = z[i];
        nw[w[i]][topic] -= 1; nd[d[i]][topic] -= 1; nwsum[topic] -= 1; ndsum[d[i]] -= 1;
        for (int k = 0; k < K; ++k)
            p[k] = (nw[w[i]][k] + beta) / (nwsum[k] + V * beta) * (nd[d[i]][k] + alpha) / (ndsum[d[i]] + K * alpha);
        for (int k = 1; k < K; ++k) p[k] += p[k - 1];
        double u = draw(seed, i) * p[K - 1];
        for (topic = 0; topic < K - 1; ++topic) if (p[topic] > u) break;
        nw[w[i]][topic] += 1; nd[d[i]][topic] += 1; nwsum[topic] += 1; ndsum[d[i]] += 1;
        z[i] = topic;
    }
}

static int **table(int n, int K) {
    int **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; ++i) t[i] = calloc(K, sizeof **t);
    return t;
}

/* Words come in K groups, documents are of one group: how many tokens have their document's main topic. */
static int together(int N, const int *d, const int *z, int **nd, int K) {
    int n = 0;
    for (int i = 0; i < N; ++i) {
        int most = 0;
        for (int k = 1; k < K; ++k) most = nd[d[i]][k] > nd[d[i]][most] ? k : most;
        n += z[i] == most;
    }
    return n;
}

int main(void) {
    enum { K = 4, V = 80, DOCS = 40, N = 4000 };
    int *w = malloc(N * sizeof *w), *d = malloc(N * sizeof *d), *z = malloc(N * sizeof *z);
    int **nw = table(V, K), **nd = table(DOCS, K), *nwsum = calloc(K, sizeof *nwsum), *ndsum = calloc(DOCS, sizeof *ndsum);
    double *p = malloc(K * sizeof *p);
    for (int i = 0; i < N; ++i) {
        d[i] = i * 7 % DOCS;
        w[i] = d[i] % K * (V / K) + (i * 31 + i / 7) % (V / K);
        z[i] = (i * 13 + i / 5) % K;
        ++nw[w[i]][z[i]], ++nd[d[i]][z[i]], ++nwsum[z[i]], ++ndsum[d[i]];
    }
    for (int s = 0; s < 30; ++s) sweep(s, N, w, d, z, nw, nd, nwsum, ndsum, K, V, .1, .01, p);
    int words = 0, documents = 0, totals = 0, wrong = 0;
    for (int k = 0; k < K; ++k) totals += nwsum[k];
    for (int v = 0; v < V; ++v) for (int k = 0; k < K; ++k) words += nw[v][k], wrong += nw[v][k] < 0;
    for (int e = 0; e < DOCS; ++e) for (int k = 0; k < K; ++k) documents += nd[e][k], wrong += nd[e][k] < 0;
    printf("%d %d %d %d %d\n", words, documents, totals, wrong, together(N, d, z, nd, K) > N * 9 / 10);
    return 0;
}
