/*
 * TransE over tables of rows: rand() corrupts the head or the tail in the loop, helpers normalize the rows.
 * loop: serial ORR2210
 * edit: rand() % 2) => (int)(orrery_random(1 + 3 * ep, i) >> 33) % 2)
 * edit: h2 = rand() => h2 = (int)(orrery_random(2 + 3 * ep, i) >> 33)
 * edit: t2 = rand() => t2 = (int)(orrery_random(3 + 3 * ep, i) >> 33)
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define D 10
struct triple {
    int h, r, t;
};
static float **ent, **rel;
static int NE = 120, NR = 8, NT = 1500;
static float score(float *h, float *r, float *t) {
    float s = 0;
    for (int i = 0; i < D; i++)
        s += fabsf(h[i] + r[i] - t[i]);
    return s;
}
static void normalize(float *v) {
    float s = 0;
    for (int i = 0; i < D; i++)
        s += v[i] * v[i];
    s = sqrtf(s);
    if (s > 1)
        for (int i = 0; i < D; i++)
            v[i] /= s;
}
static void gradient(float *h, float *r, float *t, float lr) {
    for (int i = 0; i < D; i++) {
        float x = h[i] + r[i] - t[i];
        float g = x > 0 ? lr : -lr;
        h[i] -= g;
        r[i] -= g;
        t[i] += g;
    }
}
static float **mk(int n) {
    float **m = malloc(n * sizeof *m);
    for (int i = 0; i < n; i++) {
        m[i] = malloc(D * sizeof **m);
        for (int k = 0; k < D; k++)
            m[i][k] = (rand() / (float)RAND_MAX - .5f);
        normalize(m[i]);
    }
    return m;
}
int main(void) {
    struct triple *tr = malloc(NT * sizeof *tr);
    ent = mk(NE);
    rel = mk(NR);
    for (int i = 0; i < NT; i++) {
        tr[i].h = rand() % NE;
        tr[i].r = rand() % NR;
        tr[i].t = (tr[i].h + tr[i].r * 3 + 1) % NE;
    }
    float margin = 1, lr = .01f;
    for (int ep = 0; ep < 4; ep++) {
        float loss = 0;
#pragma orrery parallel
        for (int i = 0; i < NT; i++) {
            int h = tr[i].h, r = tr[i].r, t = tr[i].t, h2 = h, t2 = t;
            if (rand() % 2)
                h2 = rand() % NE;
            else
                t2 = rand() % NE;
            float p = score(ent[h], rel[r], ent[t]), q = score(ent[h2], rel[r], ent[t2]);
            if (p + margin > q) {
                loss += p + margin - q;
                gradient(ent[h], rel[r], ent[t], lr);
                gradient(ent[h2], rel[r], ent[t2], -lr);
                normalize(ent[h]);
                normalize(ent[t]);
                normalize(ent[h2]);
                normalize(ent[t2]);
                normalize(rel[r]);
            }
        }
        printf("%d %.4f\n", ep, loss);
    }
    return 0;
}
