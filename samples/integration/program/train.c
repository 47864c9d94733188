#include "train.h"

#include <stddef.h>

double train(const struct rating *r, long nnz, float *W, float *H) {
    const float rate = .01f, lambda = .02f;
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (size_t)r[n].user * RANK, *h = H + (size_t)r[n].item * RANK;
        float e = r[n].value;
        for (int k = 0; k < RANK; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < RANK; ++k) {
            float wk = w[k];
            w[k] += rate * (e * h[k] - lambda * wk);
            h[k] += rate * (e * wk - lambda * h[k]);
        }
    }
    return loss;
}
