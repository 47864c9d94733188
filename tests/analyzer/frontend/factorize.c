//= main depth 1 at 20:5-34:6: declared epoch = 0; < epochs; +1
//= main depth 2 at 23:9-32:10: declared n = 0; < nnz; +1 pragma parallel unordered
//= main depth 3 at 26:13-27:34: declared k = 0; < K; +1
//= main depth 3 at 28:13-31:14: declared k = 0; < K; +1
//? declare float *w: local writes=0 = W + (unsigned long)r[n].user * K
//? e -= w[k] * h[k]
//? loss += e * e
//? w[k] += rate * (e * h[k] - lambda * w[k])
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rating { int user, item; float value; };

int main(int argc, char **argv) {
    int epochs = argc, K = 32;
    long nnz = atol(argv[1]);
    float rate = .1f, lambda = .01f, *W = malloc(1000), *H = malloc(1000);
    struct rating *r = malloc(1000);
    for (int epoch = 0; epoch < epochs; ++epoch) {
        double loss = 0;
        #pragma orrery parallel unordered
        for (long n = 0; n < nnz; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            for (int k = 0; k < K; ++k) {
                loss += e * e;
                w[k] += rate * (e * h[k] - lambda * w[k]);
            }
        }
        printf("%f\n", sqrt(loss));
    }
}
