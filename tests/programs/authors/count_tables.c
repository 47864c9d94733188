/*
 * Counts into tables of pointers and rows behind pointers to structures; last subscripts come from the data.
 * loop: parallel partition-1d
 * loop: parallel partition-1d
 * loop: parallel partition-1d
 */
#include <stdio.h>
#include <stdlib.h>
struct row {
    int n;
    int *c;
    double w;
};
int main(void) {
    int D = 60, Z = 8, W = 200, N = 5000;
    int **nd = malloc(D * sizeof *nd), **nw = malloc(W * sizeof *nw), *nz = calloc(Z, sizeof *nz),
        *doc = malloc(N * sizeof *doc), *word = malloc(N * sizeof *word),
        *z = malloc(N * sizeof *z);
    struct row **rows = malloc(D * sizeof *rows);
    for (int d = 0; d < D; d++) {
        nd[d] = calloc(Z, sizeof **nd);
        rows[d] = malloc(sizeof **rows);
        rows[d]->n = 0;
        rows[d]->w = 0;
        rows[d]->c = calloc(Z, sizeof(int));
    }
    for (int w = 0; w < W; w++)
        nw[w] = calloc(Z, sizeof **nw);
    srand(5);
    for (int i = 0; i < N; i++) {
        doc[i] = rand() % D;
        word[i] = rand() % W;
        z[i] = rand() % Z;
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        nd[doc[i]][z[i]]++;
        nw[word[i]][z[i]]++;
        nz[z[i]]++;
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        struct row *r = rows[doc[i]];
        r->n++;
        r->c[z[i]]++;
        r->w += .5 * z[i];
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        rows[doc[i]]->c[(z[i] * 7 + word[i]) % Z] += 2;
    double s = 0;
    for (int d = 0; d < D; d++)
        for (int k = 0; k < Z; k++)
            s += nd[d][k] * k * d + rows[d]->c[k] * (k + 1) + rows[d]->w;
    for (int w = 0; w < W; w++)
        s += nw[w][3] * w;
    printf("%.9g %d\n", s, nz[2]);
}
