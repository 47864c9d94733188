/*
 * Sparse logistic regression, rows behind pointers; frequent features are as Zipf says.
 * usage: relax FEATURES EXAMPLES PASSES RATE
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct example {
    int n;
    int *idx;
    float *val;
    float y;
};

static unsigned long long state = 7;
static double draw(void) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double pass(struct example **ex, int m, float *w, float rate) {
    double loss = 0;
#pragma orrery parallel unordered relax(w)
    for (int i = 0; i < m; ++i) {
        float s = 0;
        for (int k = 0; k < ex[i]->n; ++k)
            s += w[ex[i]->idx[k]] * ex[i]->val[k];
        float z = ex[i]->y > 0 ? s : -s;
        loss += z > 0 ? log1p(exp(-z)) : log1p(exp(z)) - z;
        float g = ex[i]->y - 1 / (1 + expf(-s));
        for (int k = 0; k < ex[i]->n; ++k)
            w[ex[i]->idx[k]] += rate * g * ex[i]->val[k];
    }
    return loss / m;
}

static double judge(struct example **ex, int m, const float *w) {
    double loss = 0;
    for (int i = 0; i < m; ++i) {
        float s = 0;
        for (int k = 0; k < ex[i]->n; ++k)
            s += w[ex[i]->idx[k]] * ex[i]->val[k];
        float z = ex[i]->y > 0 ? s : -s;
        loss += z > 0 ? log1p(exp(-z)) : log1p(exp(z)) - z;
    }
    return loss / m;
}

int main(int argc, char **argv) {
    int features = argc > 1 ? atoi(argv[1]) : 100000, m = argc > 2 ? atoi(argv[2]) : 100000;
    int passes = argc > 3 ? atoi(argv[3]) : 5;
    float rate = argc > 4 ? (float)atof(argv[4]) : .05f;
    float *truth = malloc((size_t)features * sizeof *truth),
          *w = calloc((size_t)features, sizeof *w);
    struct example **ex = malloc((size_t)m * sizeof *ex);
    for (int j = 0; j < features; ++j)
        truth[j] = (float)(4 * draw() - 2);
    for (int i = 0; i < m; ++i) {
        ex[i] = malloc(sizeof **ex);
        ex[i]->n = 20 + (int)(21 * draw());
        ex[i]->idx = malloc((size_t)ex[i]->n * sizeof(int));
        ex[i]->val = malloc((size_t)ex[i]->n * sizeof(float));
        double s = 0;
        for (int k = 0; k < ex[i]->n; ++k) {
            ex[i]->idx[k] = (int)pow(features, draw()) - 1; /* Zipf 1 */
            ex[i]->val[k] = (float)(.5 + draw());
            s += truth[ex[i]->idx[k]] * ex[i]->val[k];
        }
        ex[i]->y = draw() < 1 / (1 + exp(-s));
    }
    printf("pass 0: %.4f\n", judge(ex, m, w));
    for (int p = 1; p <= passes; ++p) {
        double t = now(), online = pass(ex, m, w, rate);
        t = now() - t;
        printf("pass %d: online %.4f loss %.4f  %.4f s\n", p, online, judge(ex, m, w), t);
    }
    return 0;
}
