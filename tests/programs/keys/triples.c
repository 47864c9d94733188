/* TransE: triples (h, r, t) with a corrupted head or tail. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { D = 20 };
struct triple {
    int h, r, t, ch, ct;
};
static float ent[5000][D], rel[200][D];
static void train(const struct triple *x, long n, float rate, float margin) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *h = ent[x[i].h], *r = rel[x[i].r], *t = ent[x[i].t], *h2 = ent[x[i].ch],
              *t2 = ent[x[i].ct];
        float good = 0, bad = 0;
        for (int k = 0; k < D; ++k) {
            good += fabsf(h[k] + r[k] - t[k]);
            bad += fabsf(h2[k] + r[k] - t2[k]);
        }
        if (good + margin > bad)
            for (int k = 0; k < D; ++k) {
                float g = h[k] + r[k] > t[k] ? rate : -rate,
                      b = h2[k] + r[k] > t2[k] ? rate : -rate;
                h[k] -= g;
                t[k] += g;
                r[k] -= g - b;
                h2[k] += b;
                t2[k] -= b;
            }
    }
}
int main(void) {
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    long n = 3000;
    struct triple *x = malloc(n * sizeof *x);
    for (int i = 0; i < 5000; ++i)
        for (int k = 0; k < D; ++k)
            ent[i][k] = NEXT % 1000 / 1000.f;
    for (int i = 0; i < 200; ++i)
        for (int k = 0; k < D; ++k)
            rel[i][k] = NEXT % 1000 / 1000.f;
    for (long i = 0; i < n; ++i) {
        x[i].h = x[i].ch = NEXT % 5000;
        x[i].t = x[i].ct = NEXT % 5000;
        x[i].r = NEXT % 200;
        if (NEXT & 1)
            x[i].ch = NEXT % 5000;
        else
            x[i].ct = NEXT % 5000;
    }
    for (int t = 0; t < 2; ++t)
        train(x, n, .01f, 1);
    printf("%lx %lx\n", digest(ent, sizeof ent), digest(rel, sizeof rel));
}
