/* Push over a graph: what a vertex has left it shares out among its neighbours, in place. */
#include <stdio.h>
#include <stdlib.h>

struct edge {
    int to;
    double weight;
};
struct vertex {
    int degree;
    struct edge *edges;
};

int main(void) {
    int n = 400;
    struct vertex *g = malloc((size_t)n * sizeof *g);
    double *rest = malloc((size_t)n * sizeof *rest), *got = malloc((size_t)n * sizeof *got);
    struct edge *all = malloc((size_t)n * 9 * sizeof *all);
    if (!g || !rest || !got || !all)
        return 1;
    for (int v = 0; v < n; ++v) {
        g[v] = (struct vertex){v % 10 == 3 ? 0 : v % 9, all + (size_t)v * 9};
        rest[v] = v % 7;
        got[v] = 0;
        for (int e = 0; e < 9; ++e)
            all[v * 9 + e] = (struct edge){(v * 31 + e * 57) % n, 1. / (e + 2)};
    }
    for (int round = 0; round < 6; ++round) {
#pragma orrery parallel
        for (int v = 0; v < n; ++v)
            for (int e = 0; e < g[v].degree; ++e) {
                double share = rest[v] * g[v].edges[e].weight * .3;
                rest[v] -= share;
                got[g[v].edges[e].to] = .9 * got[g[v].edges[e].to] + share;
            }
        double sum = 0;
        for (int v = 0; v < n; ++v)
            sum += got[v] * (v % 11) + rest[v];
        printf("%.17g\n", sum);
    }
    free(g);
    free(rest);
    free(got);
    free(all);
    return 0;
}
