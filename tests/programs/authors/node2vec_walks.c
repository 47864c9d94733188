/*
 * Walks over a graph, then skip-gram over their pairs: a walk that ends early ends the loop inside.
 * loop: parallel independent
 * loop: serial ORR2105
 * says: fix: let the loop inside make all its rounds, with `continue` in place of `break`
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int n;
    int *off, *adj;
} graph;
typedef struct {
    uint64_t s;
} rng;
static uint32_t rng_next(rng *r) {
    r->s = r->s * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(r->s >> 33);
}
static int degree(const graph *g, int v) {
    return g->off[v + 1] - g->off[v];
}
static int has_edge(const graph *g, int a, int b) {
    for (int e = g->off[a]; e < g->off[a + 1]; e++)
        if (g->adj[e] == b)
            return 1;
    return 0;
}
static void walk(const graph *g, int start, int *out, int len, double p, double q, rng *r) {
    int prev = -1, cur = start;
    for (int s = 0; s < len; s++) {
        out[s] = cur;
        int d = degree(g, cur);
        if (d == 0) {
            for (int t = s + 1; t < len; t++)
                out[t] = -1;
            return;
        }
        int next;
        for (;;) {
            next = g->adj[g->off[cur] + rng_next(r) % d];
            if (prev < 0)
                break;
            double a = next == prev              ? 1 / p
                       : has_edge(g, prev, next) ? 1
                                                 : 1 / q,
                   top = 1 / p > 1 / q ? 1 / p : 1 / q;
            if (top < 1)
                top = 1;
            if (rng_next(r) / 2147483648.0 < a / top)
                break;
        }
        prev = cur;
        cur = next;
    }
}
int main(void) {
    enum { N = 200, PER = 2, LEN = 12, D = 8 };
    graph g = {N, malloc((N + 1) * sizeof(int)), malloc(N * 6 * sizeof(int))};
    int at = 0;
    for (int v = 0; v < N; v++) {
        g.off[v] = at;
        for (int k = 1; k <= 2 + v % 4; k++)
            g.adj[at++] = (v * k + k * k + 1) % N;
    }
    g.off[N] = at;
    int(*walks)[LEN] = malloc(N * PER * sizeof *walks);
#pragma orrery parallel
    for (int w = 0; w < N * PER; w++) {
        rng r = {(uint64_t)w * 2862933555777941757ULL + 3037000493ULL};
        walk(&g, w % N, walks[w], LEN, .5, 2, &r);
    }
    float(*in)[D] = malloc(N * sizeof *in), (*out)[D] = calloc(N, sizeof *out);
    for (int v = 0; v < N; v++)
        for (int k = 0; k < D; k++)
            in[v][k] = ((v * 13 + k * 7) % 17 - 8) / 80.f;
#pragma orrery parallel unordered
    for (int w = 0; w < N * PER; w++)
        for (int s = 0; s + 1 < LEN; s++) {
            int c = walks[w][s], t = walks[w][s + 1];
            if (c < 0 || t < 0)
                break;
            float f = 0;
            for (int k = 0; k < D; k++)
                f += in[c][k] * out[t][k];
            float gr = (1 - 1 / (1 + expf(-f))) * .05f;
            for (int k = 0; k < D; k++) {
                float x = in[c][k];
                in[c][k] += gr * out[t][k];
                out[t][k] += gr * x;
            }
        }
    long h = 0;
    double s = 0;
    for (int w = 0; w < N * PER; w++)
        for (int k = 0; k < LEN; k++)
            h = (h * 31 + walks[w][k]) % 1000003;
    for (int v = 0; v < N; v++)
        for (int k = 0; k < D; k++)
            s += in[v][k] * in[v][k];
    printf("%ld %.2f\n", h, s);
}
