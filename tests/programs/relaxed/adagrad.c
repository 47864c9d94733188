/* AdaGrad through buffer(): rates beside the parameters, updates through a pointer. */
#include "model.h"

enum { N = 2500, M = 30000, K = 2, MOST = 9, SMALL = 50 };
static long ptr[N + 1];
static int col[N * MOST];
static float y[N], squares[M], step = .1f;
static double *sums;

static void apply_rate(float *w, float g, long i) {
    squares[i] += g * g;
    *w += step * g / (1e-6f + sqrtf(squares[i]));
}

static double half(double value) {
    return value / 2;
}

void apply_half(double *x, double u, int i) {
    double old = sums[i];
    sums[i] = old + u;
    if (u > 0)
        x[0] += half(u) / (1 + old * old);
    else
        *x += u;
}

static void model_rate(void *w, const void *g, long i) {
    apply_rate(w, *(const float *)g, i);
}

static void model_half(void *w, const void *g, long i) {
    apply_half(w, *(const double *)g, (int)i);
}

static void body(long i, void **own, void **seen) {
    float *w = seen[0], *to = own[0], z = 0;
    double *t = seen[1], *t_to = own[1];
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        for (int k = 0; k < K; ++k)
            z += w[(long)col[p] * K + k] * (k + 1);
    float g = y[i] - z + (float)t[i % SMALL];
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        for (int k = 0; k < K; ++k)
            to[(long)col[p] * K + k] += g * (k + 1) - .01f * w[(long)col[p] * K + k];
    t_to[i % SMALL] -= g * .001;
    t_to[(i + 1) % SMALL] -= -1e-3;
}

int main(void) {
    float *w = calloc(M, sizeof *w);
    double *t = calloc(SMALL, sizeof *t);
    sums = calloc(SMALL, sizeof *sums);
    for (long i = 0; i < N; ++i) {
        long p = ptr[i];
        for (unsigned k = draw(MOST); k > 0; --k)
            col[p++] = (int)draw(draw(3) ? M / K : 20);
        ptr[i + 1] = p;
        y[i] = (float)draw(2);
    }
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel unordered buffer(w : apply_rate), buffer(t : apply_half) CLAUSES
        for (long i = 0; i < N; ++i) {
            float z = 0;
            for (long p = ptr[i]; p < ptr[i + 1]; ++p) {
                const float *row = w + (long)col[p] * K;
                for (int k = 0; k < K; ++k)
                    z += row[k] * (k + 1);
            }
            float g = y[i] - z + (float)t[i % SMALL];
            for (long p = ptr[i]; p < ptr[i + 1]; ++p) {
                float *row = w + (long)col[p] * K;
                for (int k = 0; k < K; ++k)
                    row[k] += g * (k + 1) - .01f * row[k];
            }
            t[i % SMALL] -= g * .001;
            t[(i + 1) % SMALL] -= -1e-3;
        }
    }
    float *got_squares = copy_of(squares, sizeof squares);
    double *got_sums = sums;
    float *copy = calloc(M, sizeof *copy);
    double *t_copy = calloc(SMALL, sizeof *t_copy);
    memset(squares, 0, sizeof squares);
    sums = calloc(SMALL, sizeof *sums);
    struct array arrays[] = {{.target = copy, .n = M, .type = 'f', .apply = model_rate},
                             {.target = t_copy, .n = SMALL, .type = 'd', .apply = model_half}};
    for (int pass = 0; pass < 3; ++pass)
        model_run(N, ROWS, STEPS, ITERATIONS, 2, arrays, body);
    compare("w", w, copy, M * sizeof *w);
    compare("t", t, t_copy, SMALL * sizeof *t);
    compare("squares", got_squares, squares, sizeof squares);
    compare("sums", got_sums, sums, SMALL * sizeof *sums);
    return bad;
}
