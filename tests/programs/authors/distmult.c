/*
 * DistMult, whose hits are counted behind a pointer, under a condition.
 * loop: parallel batches
 * order: another one
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
/* DistMult, margin-based, corrupted tails from a prepared list */
#define DIM 8
typedef struct {
    int head, rel, tail, neg;
} Triple;
typedef struct {
    float emb[DIM];
    int count;
} Entity;
typedef struct {
    float emb[DIM];
} Relation;
static Entity *ent;
static Relation *rel;
static float score(const Entity *h, const Relation *r, const Entity *t) {
    float s = 0;
    for (int k = 0; k < DIM; k++)
        s += h->emb[k] * r->emb[k] * t->emb[k];
    return s;
}
static double epoch(Triple *tr, int n, float lr, int *hits) {
    double loss = 0;
#pragma orrery parallel unordered
    for (int n_ = 0; n_ < n; n_++) {
        Entity *h = &ent[tr[n_].head], *t = &ent[tr[n_].tail], *c = &ent[tr[n_].neg];
        Relation *r = &rel[tr[n_].rel];
        float m = 1 - score(h, r, t) + score(h, r, c);
        h->count++;
        if (m <= 0) {
            (*hits)++;
            continue;
        }
        loss += m;
        for (int k = 0; k < DIM; k++) {
            float hv = h->emb[k], rv = r->emb[k], tv = t->emb[k], cv = c->emb[k];
            h->emb[k] += lr * rv * (tv - cv);
            r->emb[k] += lr * hv * (tv - cv);
            t->emb[k] += lr * hv * rv;
            c->emb[k] -= lr * hv * rv;
        }
    }
    return loss / n;
}
int main(void) {
    int ne = 100, nr = 8, n = 2000, hits = 0;
    srand(6);
    ent = calloc(ne, sizeof *ent);
    rel = calloc(nr, sizeof *rel);
    for (int i = 0; i < ne; i++)
        for (int k = 0; k < DIM; k++)
            ent[i].emb[k] = rand() / (float)RAND_MAX - .5f;
    for (int i = 0; i < nr; i++)
        for (int k = 0; k < DIM; k++)
            rel[i].emb[k] = rand() / (float)RAND_MAX - .5f;
    Triple *tr = malloc(n * sizeof *tr);
    for (int i = 0; i < n; i++) {
        tr[i].head = rand() % ne;
        tr[i].rel = rand() % nr;
        tr[i].tail = (tr[i].head * (tr[i].rel + 2)) % ne;
    }
    for (int e = 0; e < 6; e++) {
        for (int i = 0; i < n; i++)
            tr[i].neg = rand() % ne;
        double l = epoch(tr, n, .05f, &hits);
        printf("%d %.3f %d\n", e, l, hits > 0);
    }
    return 0;
}
