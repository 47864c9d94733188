/* A small dense model in a structure, and counts that wrap around. */
#include "model.h"

enum { N = 2000, K = 9, BINS = 5 };
struct model {
    double *w;
    int k;
};
static double x[N][K], y[N];
static unsigned char seen_bins[BINS];
static int totals[BINS];
static int kind[N];

static void body(long i, void **own, void **seen) {
    double *w = own[0], z = 0;
    unsigned char *bins = own[1];
    int *total = own[2];
    (void)seen;
    for (int k = 0; k < K; ++k)
        z += w[k] * x[i][k];
    double g = .0004 * (y[i] - z) / (1 + total[kind[i]] * 1e-4);
    for (int k = 0; k < K; ++k)
        w[k] += g * x[i][k];
    bins[kind[i]] += 3;
    if (bins[kind[i]] % 2)
        total[(kind[i] + 1) % BINS] += 2;
    total[kind[i]]--;
}

int main(void) {
    struct model store = {calloc(K, sizeof(double)), K}, *m = &store;
    for (long i = 0; i < N; ++i) {
        kind[i] = (int)draw(BINS);
        for (int k = 0; k < K; ++k)
            x[i][k] = (double)draw(1000) / 1000;
        y[i] = (double)draw(1000) / 500;
    }
    double *w = copy_of(m->w, K * sizeof *w);
    unsigned char *bins = copy_of(seen_bins, sizeof seen_bins);
    int *total = copy_of(totals, sizeof totals);
    struct array arrays[] = {{.target = w, .n = K, .type = 'd'},
                             {.target = bins, .n = BINS, .type = 'b'},
                             {.target = total, .n = BINS, .type = 'i'}};
    for (int pass = 0; pass < 2; ++pass) {
#pragma orrery parallel relax(m->w) relax(seen_bins, totals) CLAUSES
        for (long i = 0; i < N; ++i) {
            double z = 0;
            for (int k = 0; k < K; ++k)
                z += m->w[k] * x[i][k];
            double g = .0004 * (y[i] - z) / (1 + totals[kind[i]] * 1e-4);
            for (int k = 0; k < K; ++k)
                m->w[k] += g * x[i][k];
            seen_bins[kind[i]] += 3;
            if (seen_bins[kind[i]] % 2)
                totals[(kind[i] + 1) % BINS] += 2;
            totals[kind[i]]--;
        }
        model_run(N, ROWS, STEPS, ITERATIONS, 3, arrays, body);
    }
    compare("w", m->w, w, K * sizeof *w);
    compare("bins", seen_bins, bins, sizeof seen_bins);
    compare("totals", totals, total, sizeof totals);
    return bad;
}
