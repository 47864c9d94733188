/*
 * A particle filter: each particle draws from its own generator; the best one is kept as a structure.
 * loop: parallel reduction
 * loop: serial ORR2275
 * loop: parallel independent
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct particle {
    double x, v, w;
    unsigned seed;
} particle;
static double unif(particle *p) {
    p->seed = p->seed * 1103515245u + 12345u;
    return (p->seed >> 8) / 16777216.0;
}
int main(void) {
    int n = 2000;
    particle *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    double *cum = malloc(n * sizeof *cum);
    for (int i = 0; i < n; i++) {
        p[i].x = p[i].v = 0;
        p[i].seed = i * 31 + 7;
    }
    for (int t = 0; t < 10; t++) {
        double z = t * .5, sum = 0, best = -1;
        particle top = p[0];
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            p[i].v += unif(&p[i]) - .5 + .1;
            p[i].x += p[i].v;
            double d = p[i].x - z;
            p[i].w = exp(-d * d);
            sum += p[i].w;
            if (p[i].w > best) {
                best = p[i].w;
                top = p[i];
            }
        }
        double c = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            c += p[i].w;
            cum[i] = c;
        }
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double u = (i + .5) / n * cum[n - 1];
            int lo = 0, hi = n - 1;
            while (lo < hi) {
                int mid = (lo + hi) / 2;
                if (cum[mid] < u)
                    lo = mid + 1;
                else
                    hi = mid;
            }
            unsigned s = q[i].seed = p[i].seed;
            q[i] = p[lo];
            q[i].seed = s;
        }
        particle *tmp = p;
        p = q;
        q = tmp;
        printf("%d %.7g %.9g %.7g\n", t, sum, top.x, best);
    }
}
