/* Rows that stay in registers from one loop inside to the next, and rows that must not: what the
 * kernel's comment has to say stands behind each pragma's loop (keep.sh). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct visit {
    int who, what;
    float weight;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* keeps w, h. In both branches, in one of which the iteration ends early. */
static double branches(const struct visit *v, long n, float *W, float *H, int K) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, *h = H + (long)v[i].what * K, e = v[i].weight, sum = 0;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        if (e > 0) {
            for (int k = 0; k < K; ++k)
                w[k] += .01f * e * h[k];
            continue;
        }
        for (int k = 0; k < K; ++k)
            h[k] += .02f * e * w[k];
        for (int k = 0; k < K; ++k) {
            h[k] *= .999f;
            sum += h[k];
        }
        loss += sum;
    }
    return loss;
}

/* keeps w. A read between two loops that change the row: it has to be in memory there. */
static void looks(const struct visit *v, long n, float *W, float *GW, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, x = v[i].weight;
        for (int k = 0; k < K; ++k)
            w[k] += x * .01f;
        GW[v[i].who] += w[0] * w[0];
        for (int k = 0; k < K; ++k)
            w[k] *= .99f;
        for (int k = 0; k < K; ++k)
            w[k] += .001f;
    }
}

/* loads w again. A change between, by one lane. */
static void changes(const struct visit *v, long n, float *W, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, x = v[i].weight;
        for (int k = 0; k < K; ++k)
            w[k] += x * .01f;
        w[0] += 1;
        for (int k = 0; k < K; ++k)
            w[k] *= .99f;
    }
}

/* loads w again. Another pointer into the row. */
static void overlaps(const struct visit *v, long n, float *W, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, *other = w + 1, x = v[i].weight;
        for (int k = 0; k < K - 1; ++k)
            w[k] += x * .01f;
        for (int k = 0; k < K - 1; ++k)
            other[k] *= .99f;
        for (int k = 0; k < K - 1; ++k)
            w[k] -= .001f;
    }
}

/* loads w again. The pointer moves. */
static void moves(const struct visit *v, long n, float *W, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, x = v[i].weight;
        for (int k = 0; k < K - 1; ++k)
            w[k] += x * .01f;
        w += 1;
        for (int k = 0; k < K - 1; ++k)
            w[k] *= .99f;
    }
}

/* loads w again. How much of it the loops use is computed by each iteration. */
static void lengths(const struct visit *v, long n, float *W, int K) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)v[i].who * K, sum = 0;
        int many = v[i].what < 6 ? K : 1;
        for (int k = 0; k < many; ++k)
            sum += w[k];
        for (int k = 0; k < many; ++k)
            w[k] -= sum * .001f;
    }
}

/* keeps w. Numbers of 8 bytes, of which the text says how many. */
static void constants(const struct visit *v, long n, double *D) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double *w = D + (long)v[i].who * 200, sum = 0, x = v[i].weight;
        for (int k = 0; k < 200; ++k)
            sum += w[k];
        for (int k = 0; k < 200; ++k)
            w[k] += x - sum * .001;
    }
}

static double sum_of(const float *a, long n) {
    double sum = 0;
    for (long i = 0; i < n; ++i)
        sum += a[i];
    return sum;
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 35, users = 20, items = 12;
    long n = argc > 2 ? atol(argv[2]) : 200;
    struct visit *v = malloc(n * sizeof *v);
    float *W = malloc(sizeof(float) * users * K), *H = malloc(sizeof(float) * items * K);
    float *GW = calloc(users, sizeof *GW);
    double *D = calloc(users * 200, sizeof *D), last = 0;
    for (long i = 0; i < n; ++i)
        v[i] = (struct visit){(int)(i * 31 % users), (int)(i * i % items), (float)(i % 7) * .25f};
    for (int i = 0; i < users * K; ++i)
        W[i] = (float)(i * 31 % 100) * .004f;
    for (int i = 0; i < items * K; ++i)
        H[i] = (float)(i * 17 % 100) * .004f;
    double loss = branches(v, n, W, H, K);
    looks(v, n, W, GW, K);
    changes(v, n, W, K);
    overlaps(v, n, W, K);
    moves(v, n, W, K);
    lengths(v, n, W, K);
    constants(v, n, D);
    for (int i = 0; i < users * 200; ++i)
        last += D[i];
    printf("%.9g %.9g %.9g %.9g %.9g\n", loss, sum_of(W, (long)users * K),
           sum_of(H, (long)items * K), sum_of(GW, users), last);
    free(v), free(W), free(H), free(GW), free(D);
    return 0;
}
