/* The loops of a factorization whose model is larger than a rank may hold: memory.c here and in tests/bench. */
#include "model.h"

#include <stddef.h>

double train(const struct rating *r, long nnz, float *W, float *H) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float a = w[k];
            w[k] += .01f * (e * h[k] - .05f * a);
            h[k] += .01f * (e * a - .05f * h[k]);
        }
    }
    return loss;
}

double train_numbered(const struct rating *r, long nnz, float weight, float *W, float *H) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
        float e = r[n].value - weight * (float)r[n].user;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float a = w[k];
            w[k] += .01f * (e * h[k] - .05f * a);
            h[k] += .01f * (e * a - .05f * h[k]);
        }
    }
    return loss;
}

double norm_of(const float *W, long users) {
    double norm = 0;
#pragma orrery parallel
    for (long u = 0; u < users; ++u) {
        double s = 0;
        for (int k = 0; k < K; ++k)
            s += W[u * K + k] * W[u * K + k];
        norm += s;
    }
    return norm;
}
