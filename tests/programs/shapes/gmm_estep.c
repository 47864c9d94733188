/* E step of a Gaussian mixture: responsibilities by row, the log likelihood and the new weights as sums.
 * loop: parallel reduction
 * loop: parallel independent
 * ranks: refused lies in memory that only rank 0 has
 * result: near 1e-6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NC 3

typedef struct {
    double weight[NC], mean[NC], var[NC];
} mixture;

static double log_density(double x, double mean, double var) {
    return -0.5 * (log(2 * M_PI * var) + (x - mean) * (x - mean) / var);
}

double e_step(const mixture *g, const double *x, double (*resp)[NC], double *nk, int n) {
    double ll = 0;
    for (int c = 0; c < NC; c++)
        nk[c] = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        double lp[NC], top = -INFINITY, z = 0;
        for (int c = 0; c < NC; c++) {
            lp[c] = log(g->weight[c]) + log_density(x[i], g->mean[c], g->var[c]);
            if (lp[c] > top)
                top = lp[c];
        }
        for (int c = 0; c < NC; c++)
            z += exp(lp[c] - top);
        for (int c = 0; c < NC; c++) {
            resp[i][c] = exp(lp[c] - top) / z;
            nk[c] += resp[i][c];
        }
        ll += top + log(z);
    }
    return ll;
}

void m_step(mixture *g, const double *x, double (*resp)[NC], const double *nk, int n) {
#pragma orrery parallel
    for (int c = 0; c < NC; c++) {
        double m = 0, v = 0;
        for (int i = 0; i < n; i++)
            m += resp[i][c] * x[i];
        m /= nk[c];
        for (int i = 0; i < n; i++)
            v += resp[i][c] * (x[i] - m) * (x[i] - m);
        g->mean[c] = m;
        g->var[c] = v / nk[c] + 1e-6;
        g->weight[c] = nk[c] / n;
    }
}

int main(void) {
    int n = 200;
    double *x = malloc(n * sizeof *x), nk[NC];
    double (*resp)[NC] = malloc(n * sizeof *resp);
    mixture *g = malloc(sizeof *g);
    for (int i = 0; i < n; i++)
        x[i] = (i % NC) * 5 + (i * 37 % 23) * .1;
    for (int c = 0; c < NC; c++)
        g->weight[c] = 1.0 / NC, g->mean[c] = c * 4 + .5, g->var[c] = 1;
    for (int it = 0; it < 4; it++) {
        printf("%.8f\n", e_step(g, x, resp, nk, n));
        m_step(g, x, resp, nk, n);
    }
    return 0;
}
