/*
 * Histograms of gradient boosting: nodes on the stack lead to their bins; a feature's are found by the data.
 * loop: parallel levels
 * loop: parallel independent
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    double g, h;
    uint32_t n;
} bin_t;
typedef struct {
    bin_t *bins;
    int feature, split;
    double gain;
} node_t;
enum { BINS = 16, FEAT = 10, NODES = 4 };
typedef struct {
    uint32_t rows;
    uint8_t *bin;
    float *grad, *hess;
    uint8_t *node;
} data_t;
static void build(const data_t *d, node_t *nodes, uint32_t f) {
    for (uint32_t r = 0; r < d->rows; r++) {
        node_t *nd = &nodes[d->node[r]];
        bin_t *b = nd->bins + f * BINS + d->bin[(size_t)f * d->rows + r];
        b->g += d->grad[r];
        b->h += d->hess[r];
        b->n += 1;
    }
}
static double score(double g, double h) {
    return g * g / (h + 1.0);
}
int main(void) {
    data_t d = {3000, malloc(3000 * FEAT), malloc(3000 * sizeof(float)),
                malloc(3000 * sizeof(float)), malloc(3000)};
    for (uint32_t r = 0; r < d.rows; r++) {
        d.grad[r] = (int)(r * 71 % 31) - 15;
        d.hess[r] = 1;
        d.node[r] = r * 5 % NODES;
        for (int f = 0; f < FEAT; f++)
            d.bin[(size_t)f * d.rows + r] = (r * (f + 3) + r / 7) % BINS;
    }
    node_t nodes[NODES];
    for (int k = 0; k < NODES; k++) {
        nodes[k].bins = calloc(FEAT * BINS, sizeof(bin_t));
        nodes[k].feature = -1;
        nodes[k].gain = 0;
    }
#pragma orrery parallel
    for (uint32_t f = 0; f < FEAT; f++)
        build(&d, nodes, f);
#pragma orrery parallel
    for (int k = 0; k < NODES; k++) {
        node_t *nd = nodes + k;
        for (int f = 0; f < FEAT; f++) {
            double G = 0, H = 0, gl = 0, hl = 0;
            const bin_t *b = nd->bins + f * BINS;
            for (int i = 0; i < BINS; i++) {
                G += b[i].g;
                H += b[i].h;
            }
            for (int i = 0; i + 1 < BINS; i++) {
                gl += b[i].g;
                hl += b[i].h;
                double gain = score(gl, hl) + score(G - gl, H - hl) - score(G, H);
                if (gain > nd->gain) {
                    nd->gain = gain;
                    nd->feature = f;
                    nd->split = i;
                }
            }
        }
    }
    for (int k = 0; k < NODES; k++)
        printf("%d: %d < %d gain %.6f\n", k, nodes[k].feature, nodes[k].split, nodes[k].gain);
    return 0;
}
