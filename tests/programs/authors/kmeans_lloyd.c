/*
 * Lloyd's k-means: the cluster found is used through a pointer of the body.
 * loop: parallel reduction
 * ranks: 2
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double *sum;
    double *centre;
    size_t count;
    double inertia;
} Cluster;
typedef struct {
    double *v;
    int label;
} Point;
static double sqdist(const double *a, const double *b, size_t d) {
    double s = 0;
    for (size_t k = 0; k < d; ++k) {
        const double t = a[k] - b[k];
        s += t * t;
    }
    return s;
}
static size_t nearest(Cluster *const *c, size_t nc, const double *x, size_t d, double *how) {
    size_t best = 0;
    double least = DBL_MAX;
    for (size_t j = 0; j < nc; ++j) {
        double s = sqdist(c[j]->centre, x, d);
        if (s < least) {
            least = s;
            best = j;
        }
    }
    *how = least;
    return best;
}
int main(void) {
    const size_t n = 2000, d = 6, nc = 7;
    Point *pts = malloc(n * sizeof *pts);
    Cluster **c = malloc(nc * sizeof *c);
    for (size_t i = 0; i < n; ++i) {
        pts[i].v = malloc(d * sizeof(double));
        pts[i].label = -1;
        for (size_t k = 0; k < d; ++k)
            pts[i].v[k] = (double)((i * 31 + k * k * 17 + i * k) % 64);
    }
    for (size_t j = 0; j < nc; ++j) {
        c[j] = malloc(sizeof **c);
        c[j]->sum = calloc(d, sizeof(double));
        c[j]->centre = malloc(d * sizeof(double));
        for (size_t k = 0; k < d; ++k)
            c[j]->centre[k] = pts[j * 13].v[k];
    }
    for (int iter = 0; iter < 10; ++iter) {
        size_t moved = 0;
        for (size_t j = 0; j < nc; ++j) {
            c[j]->count = 0;
            for (size_t k = 0; k < d; ++k)
                c[j]->sum[k] = 0;
        }
#pragma orrery parallel
        for (size_t i = 0; i < n; ++i) {
            double how;
            size_t best = nearest(c, nc, pts[i].v, d, &how);
            if (pts[i].label != (int)best) {
                pts[i].label = (int)best;
                moved++;
            }
            Cluster *p = c[best];
            p->count++;
            for (size_t k = 0; k < d; ++k)
                p->sum[k] += pts[i].v[k];
        }
        for (size_t j = 0; j < nc; ++j)
            if (c[j]->count)
                for (size_t k = 0; k < d; ++k)
                    c[j]->centre[k] = c[j]->sum[k] / (double)c[j]->count;
        printf("iter %d: %zu moved\n", iter, moved);
        if (!moved)
            break;
    }
    for (size_t j = 0; j < nc; ++j)
        printf("%zu %.6f\n", c[j]->count, c[j]->centre[0]);
}
