/* UMAP's edge step where some points are in most edges, which have copies; negatives are drawn in the body. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <orrery.h>

#include "digest.h"
enum { NEG = 5, DIM = 2 };
struct edge {
    int head, tail;
    float weight;
};
static float clip(float v) {
    return v > 4 ? 4 : v < -4 ? -4 : v;
}

static void epoch(float (*y)[DIM], long points, const struct edge *edges, long nedges, float a,
                  float b, float alpha) {
#pragma orrery parallel unordered relax(hot : y)
    for (long e = 0; e < nedges; ++e) {
        float *u = y[edges[e].head], *v = y[edges[e].tail];
        float d2 = 0;
        for (int k = 0; k < DIM; ++k)
            d2 += (u[k] - v[k]) * (u[k] - v[k]);
        if (d2 > 0) {
            float g = -2 * a * b * powf(d2, b - 1) / (a * powf(d2, b) + 1);
            for (int k = 0; k < DIM; ++k) {
                float m = clip(g * (u[k] - v[k])) * alpha;
                u[k] += m;
                v[k] -= m;
            }
        }
        for (int s = 0; s < NEG; ++s) {
            float *n = y[orrery_random(7, (unsigned long)e * NEG + (unsigned long)s) %
                         (unsigned long)points];
            float r2 = 0;
            for (int k = 0; k < DIM; ++k)
                r2 += (u[k] - n[k]) * (u[k] - n[k]);
            if (r2 > 0) {
                float g = 2 * b / ((.001f + r2) * (a * powf(r2, b) + 1));
                for (int k = 0; k < DIM; ++k)
                    u[k] += clip(g * (u[k] - n[k])) * alpha;
            }
        }
    }
}

int main(int argc, char **argv) {
    long points = argc > 1 ? atol(argv[1]) : 500, nedges = argc > 2 ? atol(argv[2]) : 3000;
    float(*y)[DIM] = malloc(points * sizeof *y);
    struct edge *edges = malloc(nedges * sizeof *edges);
    unsigned long s = 1;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    for (long i = 0; i < points; ++i)
        for (int k = 0; k < DIM; ++k)
            y[i][k] = NEXT % 1000 / 100.f;
    for (long e = 0; e < nedges; ++e) {
        edges[e].head = (int)pow((double)points, NEXT % 100000 / 100000.) - 1;
        edges[e].tail = (int)pow((double)points, NEXT % 100000 / 100000.) - 1;
        edges[e].weight = 1;
    }
    for (int t = 0; t < 2; ++t)
        epoch(y, points, edges, nedges, 1.577f, .895f, 1 - t / 2.f);
    printf("%lx\n", digest(y, points * sizeof *y));
}
