/* Two keys: a row of the grid per warp, columns are handed on.
 * The order of the updates is the plan's. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct rating {
    int user, item;
    float value;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static double train(const struct rating *r, long nnz, float *W, float *H, float *GW, int K,
                    float rate) {
    double loss = 0;
    long signs = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (long)r[n].user * K, *h = H + (long)r[n].item * K;
        float e = r[n].value, sum = 0;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        signs += e > 0;
        float own = rate / sqrtf(GW[r[n].user]);
        for (int k = 0; k < K; ++k) {
            float wk = w[k], g = e * h[k] - .05f * wk;
            w[k] += own * g;
            h[k] += rate * (e * wk - .05f * h[k]);
            sum += g * g;
        }
        GW[r[n].user] += sum / K;
    }
    return loss + 1e-6 * signs;
}

/* No loop inside: one lane works. */
static void meet(const struct rating *r, long nnz, double *a, double *b) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        double d = a[r[n].user] - b[r[n].item];
        a[r[n].user] -= .125 * d;
        b[r[n].item] += .125 * d + r[n].value;
    }
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 33, users = argc > 2 ? atoi(argv[2]) : 70, items = 45;
    long nnz = argc > 3 ? atol(argv[3]) : 1600;
    struct rating *r = malloc(nnz * sizeof *r);
    float *W = malloc(sizeof(float) * users * K), *H = malloc(sizeof(float) * items * K);
    float *GW = malloc(sizeof(float) * users);
    double *a = calloc(users, sizeof *a), *b = calloc(items, sizeof *b), total = 0;
    for (long n = 0; n < nnz; ++n)
        r[n] = (struct rating){(int)(n * 7919 % users), (int)(n * n % items), (float)(n % 9) * .5f};
    for (int i = 0; i < users * K; ++i)
        W[i] = (float)(i * 31 % 100) * .004f;
    for (int i = 0; i < items * K; ++i)
        H[i] = (float)(i * 17 % 100) * .004f;
    for (int u = 0; u < users; ++u)
        GW[u] = 1;
    for (int pass = 0; pass < 2; ++pass) {
        printf("%.9g\n", train(r, nnz, W, H, GW, K, .02f));
        meet(r, nnz, a, b);
        W[pass] += .5f;
    }
    for (int u = 0; u < users; ++u)
        total += a[u] + W[u * K];
    printf("%.17g\n", total);
    free(r), free(W), free(H), free(GW), free(a), free(b);
    return 0;
}
