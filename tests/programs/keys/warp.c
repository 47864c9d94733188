/* WARP: up to TRIES sampled items per positive one, the first that violates the margin is taken. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { D = 16, TRIES = 8, USERS = 4000, ITEMS = 2000 };
struct sample {
    int user, item, tried[TRIES];
};
struct model {
    float (*user)[D], (*item)[D];
};
static float dot(const float *a, const float *b) {
    float x = 0;
    for (int k = 0; k < D; ++k)
        x += a[k] * b[k];
    return x;
}
static long train(struct model *m, const struct sample *x, long n, float rate) {
    long updates = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *u = m->user[x[i].user], *p = m->item[x[i].item];
        float good = dot(u, p);
        int found = 0;
        for (int t = 0; t < TRIES; ++t) {
            float *q = m->item[x[i].tried[t]];
            if (!found && dot(u, q) > good - 1) {
                float w = rate * logf(1 + (TRIES - 1) / (t + 1));
                for (int k = 0; k < D; ++k) {
                    float a = u[k];
                    u[k] += w * (p[k] - q[k]);
                    p[k] += w * a;
                    q[k] -= w * a;
                }
                ++updates;
                found = 1;
            }
        }
    }
    return updates;
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    long n = 3000;
    struct model m = {malloc(USERS * sizeof *m.user), malloc(ITEMS * sizeof *m.item)};
    struct sample *x = malloc(n * sizeof *x);
    for (int i = 0; i < USERS; ++i)
        for (int k = 0; k < D; ++k)
            m.user[i][k] = NEXT % 1000 / 1000.f;
    for (int i = 0; i < ITEMS; ++i)
        for (int k = 0; k < D; ++k)
            m.item[i][k] = NEXT % 1000 / 1000.f;
    for (long i = 0; i < n; ++i) {
        x[i].user = NEXT % USERS, x[i].item = NEXT % ITEMS;
        for (int t = 0; t < TRIES; ++t)
            x[i].tried[t] = NEXT % ITEMS;
    }
    for (int t = 0; t < 2; ++t)
        printf("%ld\n", train(&m, x, n, .01f));
    printf("%lx %lx\n", digest(m.user, USERS * sizeof *m.user),
           digest(m.item, ITEMS * sizeof *m.item));
}
