/*
 * Leaves of a tree as structures behind a table: counts, sums and histograms of the examples that come there.
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
struct leaf {
    int n;
    double sum, sq;
    int hist[4];
};
struct tree {
    int depth, *feature;
    double *cut;
    struct leaf **leaf;
};
static int descend(const struct tree *t, const double *x) {
    int at = 0;
    for (int d = 0; d < t->depth; d++)
        at = 2 * at + (x[t->feature[at]] > t->cut[at] ? 2 : 1);
    return at - ((1 << t->depth) - 1);
}
static void fill(struct tree *t, const double *x, const double *y, int n, int d) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int l = descend(t, x + (size_t)i * d);
        t->leaf[l]->n++;
        t->leaf[l]->sum += y[i];
        t->leaf[l]->sq += y[i] * y[i];
        t->leaf[l]->hist[(int)y[i] & 3]++;
    }
}
int main(void) {
    int n = 5000, d = 6;
    struct tree t = {4, malloc(15 * sizeof(int)), malloc(15 * sizeof(double)),
                     malloc(16 * sizeof(struct leaf *))};
    double *x = malloc(n * d * sizeof *x), *y = malloc(n * sizeof *y);
    srand(7);
    for (int i = 0; i < n * d; i++)
        x[i] = rand() % 1000 / 1000.;
    for (int i = 0; i < n; i++)
        y[i] = rand() % 64;
    for (int i = 0; i < 15; i++) {
        t.feature[i] = rand() % d;
        t.cut[i] = .2 + rand() % 600 / 1000.;
    }
    for (int l = 0; l < 16; l++)
        t.leaf[l] = calloc(1, sizeof(struct leaf));
    for (int k = 0; k < 3; k++)
        fill(&t, x, y, n, d);
    for (int l = 0; l < 16; l++)
        printf("%d %.10g %.10g %d\n", t.leaf[l]->n, t.leaf[l]->sum, t.leaf[l]->sq,
               t.leaf[l]->hist[1]);
    return 0;
}
