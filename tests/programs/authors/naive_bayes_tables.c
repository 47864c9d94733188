/*
 * Naive Bayes whose words are structures behind a table in the model, beside counts in the model itself.
 * loop: parallel levels
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int count[3];
    double weight;
} entry;

typedef struct {
    entry **tab;
    int n;
    int docs[3];
    long total[3];
} model_t;

typedef struct {
    int cls, n;
    int *w;
} doc_t;

int main(void) {
    int nd = 300;
    model_t *nb = calloc(1, sizeof *nb);
    doc_t *d = malloc(nd * sizeof *d);
    nb->n = 200;
    nb->tab = malloc(nb->n * sizeof *nb->tab);
    for (int i = 0; i < nb->n; i++)
        nb->tab[i] = calloc(1, sizeof(entry));
    srand(47);
    for (int i = 0; i < nd; i++) {
        d[i].cls = rand() % 3;
        d[i].n = 5 + rand() % 20;
        d[i].w = malloc(d[i].n * sizeof(int));
        for (int k = 0; k < d[i].n; k++)
            d[i].w[k] = (rand() % 100 + d[i].cls * 80) % nb->n;
    }
#pragma orrery parallel
    for (int i = 0; i < nd; i++) {
        nb->docs[d[i].cls]++;
        for (int k = 0; k < d[i].n; k++) {
            entry *e = nb->tab[d[i].w[k]];
            e->count[d[i].cls]++;
            e->weight += 1.0 / d[i].n;
            nb->total[d[i].cls]++;
        }
    }
    int right = 0;
#pragma orrery parallel
    for (int i = 0; i < nd; i++) {
        int best = -1;
        double bs = -INFINITY;
        for (int c = 0; c < 3; c++) {
            double s = log(nb->docs[c]);
            for (int k = 0; k < d[i].n; k++)
                s += log((nb->tab[d[i].w[k]]->count[c] + 1.) / (nb->total[c] + nb->n));
            if (s > bs) {
                bs = s;
                best = c;
            }
        }
        right += best == d[i].cls;
    }
    double h = 0;
    for (int i = 0; i < nb->n; i++)
        h += i * nb->tab[i]->weight + nb->tab[i]->count[1] * (i % 7);
    printf("%d %d %ld %.9g\n", right, nb->docs[1], nb->total[2], h);
    return 0;
}
