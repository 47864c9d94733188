/* Topics of tokens, each the best by counts behind `int **`, in the loop's own order.
 * loop: parallel ordered-rotation
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

static void sweep_ordered(int seed, int N, const int *w, const int *d, int *z, int **nw, int **nd, int K) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int topic = z[i], best = 0;
        nw[w[i]][topic] -= 1; nd[d[i]][topic] -= 1;
        double most = -1;
        for (int k = 0; k < K; ++k) {
            double q = (nw[w[i]][k] + .01) * (nd[d[i]][k] + .1) * (1 + draw(seed + k, i));
            if (q > most) most = q, best = k;
        }
        nw[w[i]][best] += 1; nd[d[i]][best] += 1;
        z[i] = best;
    }
}

static int **table(int n, int K) {
    int **t = malloc(n * sizeof *t);
    for (int i = 0; i < n; ++i) t[i] = calloc(K, sizeof **t);
    return t;
}

int main(void) {
    enum { K = 4, V = 80, DOCS = 40, N = 4000 };
    int *w = malloc(N * sizeof *w), *d = malloc(N * sizeof *d), *z = malloc(N * sizeof *z);
    int **nw = table(V, K), **nd = table(DOCS, K);
    for (int i = 0; i < N; ++i) {
        d[i] = i * 7 % DOCS;
        w[i] = d[i] % K * (V / K) + (i * 31 + i / 7) % (V / K);
        z[i] = (i * 13 + i / 5) % K;
        ++nw[w[i]][z[i]], ++nd[d[i]][z[i]];
    }
    for (int s = 0; s < 4; ++s) sweep_ordered(100 * s, N, w, d, z, nw, nd, K);
    for (int e = 0; e < DOCS; ++e) printf("%d %d %d %d\n", nd[e][0], nd[e][1], nd[e][2], nd[e][3]);
    return 0;
}
