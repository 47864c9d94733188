/*
 * PageRank, pull over the incoming edges in CSR.
 * loop: parallel reduction
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, m;
    int *offset, *source, *outdegree;
} graph;

static graph *make_graph(int n, int m) {
    graph *g = malloc(sizeof(graph));
    g->n = n;
    g->m = m;
    g->offset = malloc((n + 1) * sizeof(int));
    g->source = malloc(m * sizeof(int));
    g->outdegree = calloc(n, sizeof(int));
    for (int v = 0; v <= n; v++)
        g->offset[v] = (long)m * v / n;
    for (int e = 0; e < m; e++) {
        g->source[e] = rand() % n;
        g->outdegree[g->source[e]]++;
    }
    return g;
}

int main(void) {
    srand(10);
    graph *g = make_graph(500, 4000);
    double *rank = malloc(g->n * sizeof(double)), *next = malloc(g->n * sizeof(double));
    for (int v = 0; v < g->n; v++)
        rank[v] = 1.0 / g->n;
    for (int it = 0; it < 30; it++) {
        double delta = 0;
#pragma orrery parallel
        for (int v = 0; v < g->n; v++) {
            double sum = 0;
            for (int e = g->offset[v]; e < g->offset[v + 1]; e++)
                sum += rank[g->source[e]] / g->outdegree[g->source[e]];
            next[v] = 0.15 / g->n + 0.85 * sum;
            delta += fabs(next[v] - rank[v]);
        }
        double *swap = rank;
        rank = next;
        next = swap;
        if (delta < 1e-4) {
            printf("converged after %d\n", it);
            break;
        }
    }
    printf("%.17g\n", rank[0]);
    return 0;
}
