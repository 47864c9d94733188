/* PageRank, pulled along incoming links into a new vector; vectors swapped by pointers after each pass.
 * loop: parallel reduction
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct graph { int n; int *in_ptr, *in_src, *outdeg; };

static struct graph ring(int n) {
    struct graph g = {n, malloc((n + 1) * sizeof(int)), malloc(3 * n * sizeof(int)), calloc(n, sizeof(int))};
    int m = 0;
    for (int v = 0; v < n; v++) {
        g.in_ptr[v] = m;
        for (int j = 0; j < 1 + v % 3; j++) {
            int s = (v * 5 + j * 7 + 1) % n;
            if (s % 11 == 0) continue;
            g.in_src[m++] = s;
            g.outdeg[s]++;
        }
    }
    g.in_ptr[n] = m;
    return g;
}

int main(void) {
    struct graph g = ring(150);
    double *rank = malloc(g.n * sizeof *rank), *next = malloc(g.n * sizeof *next);
    for (int v = 0; v < g.n; v++) rank[v] = 1.0 / g.n;
    double delta = 1;
    for (int it = 0; it < 20 && delta > 1e-9; it++) {
        double dangling = 0;
        delta = 0;
        #pragma orrery parallel unordered
        for (int v = 0; v < g.n; v++)
            if (g.outdeg[v] == 0)
                dangling += rank[v];
        #pragma orrery parallel unordered
        for (int v = 0; v < g.n; v++) {
            double sum = 0;
            for (int p = g.in_ptr[v]; p < g.in_ptr[v + 1]; p++)
                sum += rank[g.in_src[p]] / g.outdeg[g.in_src[p]];
            next[v] = 0.15 / g.n + 0.85 * (sum + dangling / g.n);
            delta += fabs(next[v] - rank[v]);
        }
        double *t = rank; rank = next; next = t;
        if (it % 5 == 0) printf("%.10f\n", delta);
    }
    return 0;
}
