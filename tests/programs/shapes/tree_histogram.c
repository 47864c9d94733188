/* Gradient histograms of one node of a boosted tree; the bin comes from a function over cut points.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS 8

typedef struct { double g, h; unsigned n; } hist_cell;

typedef struct {
    int rows, cols;
    float *x;
    float *cuts;
    double *grad, *hess;
} node_data;

static int bin_of(const float *cuts, float v) {
    int b = 0;
    for (int i = 0; i < BINS - 1; i++)
        b += v > cuts[i];
    return b;
}

static void build(const node_data *d, const int *rows, int count, hist_cell *hist) {
    memset(hist, 0, sizeof *hist * d->cols * BINS);
#pragma orrery parallel unordered
    for (int r = 0; r < count; r++) {
        int row = rows[r];
        for (int c = 0; c < d->cols; c++) {
            hist_cell *cell = hist + c * BINS + bin_of(d->cuts + c * (BINS - 1), d->x[row * d->cols + c]);
            cell->g += d->grad[row];
            cell->h += d->hess[row];
            cell->n++;
        }
    }
}

int main(void) {
    node_data d = {300, 5, malloc(300 * 5 * sizeof(float)), malloc(5 * (BINS - 1) * sizeof(float)),
                   malloc(300 * sizeof(double)), malloc(300 * sizeof(double))};
    int *rows = malloc(150 * sizeof *rows);
    hist_cell *hist = malloc(5 * BINS * sizeof *hist);
    for (int i = 0; i < 300 * 5; i++) d.x[i] = (float)(i * 37 % 100);
    for (int c = 0; c < 5; c++) for (int b = 0; b < BINS - 1; b++) d.cuts[c * (BINS - 1) + b] = 12.5f * (b + 1);
    for (int i = 0; i < 300; i++) d.grad[i] = (i % 17) - 8.25, d.hess[i] = 0.25 + i % 3;
    for (int i = 0; i < 150; i++) rows[i] = i * 2;
    build(&d, rows, 150, hist);
    for (int c = 0; c < 5; c++) printf("%.10f %.10f %u\n", hist[c * BINS + c].g, hist[c * BINS + c].h, hist[c * BINS + c].n);
    return 0;
}
