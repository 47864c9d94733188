/*
 * Collapsed Gibbs sampling for LDA: documents as rows of their own lengths, counts in int **, scratch space outside.
 * loop: serial ORR2210
 * edit: rand() / (RAND_MAX + 1.0) => (int)(orrery_random(orrery_random(1 + it, d), i) >> 33) / (RAND_MAX + 1.0)
 * edit: orrery parallel => orrery parallel relax(nt)
 * then: parallel ordered-rotation
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
static int **imat(int r, int c) {
    int **m = malloc(r * sizeof(int *));
    for (int i = 0; i < r; i++)
        m[i] = calloc(c, sizeof(int));
    return m;
}
int main(void) {
    int D = 80, V = 100, T = 6;
    double alpha = .5, beta = .1;
    srand(7);
    int *len = malloc(D * sizeof(int)), **w = malloc(D * sizeof(int *)),
        **z = malloc(D * sizeof(int *));
    int **nd = imat(D, T), **nw = imat(V, T), *nt = calloc(T, sizeof(int));
    for (int d = 0; d < D; d++) {
        len[d] = 10 + rand() % 30;
        w[d] = malloc(len[d] * sizeof(int));
        z[d] = malloc(len[d] * sizeof(int));
        for (int i = 0; i < len[d]; i++) {
            w[d][i] = rand() % V;
            z[d][i] = rand() % T;
            nd[d][z[d][i]]++;
            nw[w[d][i]][z[d][i]]++;
            nt[z[d][i]]++;
        }
    }
    double *p = malloc(T * sizeof(double));
    for (int it = 0; it < 5; it++) {
#pragma orrery parallel
        for (int d = 0; d < D; d++)
            for (int i = 0; i < len[d]; i++) {
                int v = w[d][i], k = z[d][i];
                nd[d][k]--;
                nw[v][k]--;
                nt[k]--;
                double s = 0;
                for (int t = 0; t < T; t++)
                    s += p[t] = (nd[d][t] + alpha) * (nw[v][t] + beta) / (nt[t] + V * beta);
                double u = rand() / (RAND_MAX + 1.0) * s;
                for (k = 0; k < T - 1 && u >= p[k]; k++)
                    u -= p[k];
                z[d][i] = k;
                nd[d][k]++;
                nw[v][k]++;
                nt[k]++;
            }
        printf("%d:", it);
        for (int t = 0; t < T; t++)
            printf(" %d", nt[t]);
        printf("\n");
    }
    return 0;
}
