/* PageRank, pushed along edges: sums into any element of the new vector; global arrays and two that swap.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <string.h>

#define NODES 100
#define EDGES 400

static struct { int from, to; } edge[EDGES];
static int degree[NODES];
static double r0[NODES], r1[NODES];

int main(void) {
    double *cur = r0, *nxt = r1;
    for (int e = 0; e < EDGES; e++) {
        edge[e].from = e % NODES;
        edge[e].to = (e * 13 + e / NODES) % NODES;
        degree[edge[e].from]++;
    }
    for (int v = 0; v < NODES; v++)
        cur[v] = 1.0 / NODES;
    for (int it = 0; it < 8; it++) {
        for (int v = 0; v < NODES; v++)
            nxt[v] = 0.15 / NODES;
#pragma orrery parallel unordered
        for (int e = 0; e < EDGES; e++)
            nxt[edge[e].to] += 0.85 * cur[edge[e].from] / degree[edge[e].from];
        double *swap = cur;
        cur = nxt;
        nxt = swap;
        printf("%.12f %.12f\n", cur[0], cur[NODES / 2]);
    }
    return 0;
}
