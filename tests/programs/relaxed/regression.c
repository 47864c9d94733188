/* Sparse regression: a large vector of which the data choose elements, and a bias. */
#include "model.h"

enum { N = 3000, M = 40000, MOST = 12 };
static long ptr[N + 1];
static int col[N * MOST];
static float val[N * MOST], y[N], rate = .02f;

static void body(long i, void **own, void **seen) {
    float *w = own[0], *b = own[1], z = *b;
    (void)seen;
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        z += w[col[p]] * val[p];
    float g = z - y[i];
    *b -= rate * g;
    for (long p = ptr[i]; p < ptr[i + 1]; ++p)
        w[col[p]] = w[col[p]] * .999f - rate * g * val[p];
}

int main(void) {
    float *w = malloc(M * sizeof *w), bias = .25f;
    for (long j = 0; j < M; ++j)
        w[j] = (float)draw(100) / 100 - .5f;
    for (long i = 0; i < N; ++i) {
        long p = ptr[i];
        for (unsigned k = draw(MOST); k > 0; --k, ++p) {
            col[p] = (int)draw(draw(3) ? M : 40);
            val[p] = (float)draw(7) - 3;
        }
        ptr[i + 1] = p;
        y[i] = (float)draw(2);
    }
    float *copy = copy_of(w, M * sizeof *w), b = bias;
    struct array arrays[] = {{.target = copy, .n = M, .type = 'f'},
                             {.target = &b, .n = 1, .type = 'f'}};
    for (int pass = 0; pass < 3; ++pass) {
        double loss = 0;
#pragma orrery parallel unordered relax(w, bias) CLAUSES
        for (long i = 0; i < N; ++i) {
            float z = bias;
            for (long p = ptr[i]; p < ptr[i + 1]; ++p)
                z += w[col[p]] * val[p];
            float g = z - y[i];
            bias -= rate * g;
            for (long p = ptr[i]; p < ptr[i + 1]; ++p)
                w[col[p]] = w[col[p]] * .999f - rate * g * val[p];
            loss += g * g;
        }
        model_run(N, ROWS, STEPS, ITERATIONS, 2, arrays, body);
        printf("loss %.6g\n", loss);
    }
    compare("w", w, copy, M * sizeof *w);
    compare("bias", &bias, &b, sizeof b);
    return bad;
}
