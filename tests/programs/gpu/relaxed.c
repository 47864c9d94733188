/* What relax and buffer merge: rows of a loop without keys, with a marked array larger than 64 KiB,
 * a user's function, and inside of a rotation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDE = 20000 };

struct token {
    int doc, word;
    float weight;
};

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static float squares[WIDE];

static void adagrad(float *w, float g, long i) {
    squares[i] += g * g;
    *w += .1f * g / (1e-3f + sqrtf(squares[i]));
}

/* Sparse rows, collected and applied. */
static double descend(const long *start, const int *at, const float *x, const float *y, long n,
                      float *w) {
    double loss = 0;
#pragma orrery parallel unordered buffer(w : adagrad) sync(steps = 3)
    for (long i = 0; i < n; ++i) {
        float s = 0;
        for (long k = start[i]; k < start[i + 1]; ++k)
            s += w[at[k]] * x[k];
        float g = y[i] - s;
        loss += g * g;
        for (long k = start[i]; k < start[i + 1]; ++k)
            w[at[k]] += g * x[k];
    }
    return loss;
}

/* The same without a function: every row has its own w, merged once and at the end. */
static double lean(const long *start, const int *at, const float *x, const float *y, long n,
                   float *w, double *bias) {
    double loss = 0, b = *bias;
#pragma orrery parallel unordered relax(w, b) sync(iterations = 40)
    for (long i = 0; i < n; ++i) {
        double s = b;
        for (long k = start[i]; k < start[i + 1]; ++k)
            s += w[at[k]] * x[k];
        float g = (float)(y[i] - s);
        loss += fabs(g);
        b += .01 * g;
        for (long k = start[i]; k < start[i + 1]; ++k)
            w[at[k]] += .02f * g * x[k];
    }
    *bias = b;
    return loss;
}

/* Counts of documents and words rotate, the totals of topics are relaxed. */
static long count(const struct token *t, long n, int *docs, int *words, int *totals, int *topic,
                  int T) {
    long moves = 0;
#pragma orrery parallel unordered relax(totals) sync(steps = 4)
    for (long i = 0; i < n; ++i) {
        int *d = docs + (long)t[i].doc * T, *w = words + (long)t[i].word * T, old = topic[i];
        float most = -1;
        int best = 0;
        for (int k = 0; k < T; ++k) {
            d[k] -= k == old;
            w[k] -= k == old;
            totals[k] -= k == old;
        }
        for (int k = 0; k < T; ++k) {
            float p = (d[k] + .5f) * (w[k] + t[i].weight) / (totals[k] + T);
            if (p > most) {
                most = p;
                best = k;
            }
        }
        for (int k = 0; k < T; ++k) {
            d[k] += k == best;
            w[k] += k == best;
            totals[k] += k == best;
        }
        topic[i] = best;
        moves += best != old;
    }
    return moves;
}

/* What is merged lies behind what the loop writes, in one allocation. */
static void beside(float *restrict own, float *restrict all, const int *restrict at, long n,
                   long width) {
#pragma orrery parallel unordered relax(all) extent(all : width)
    for (long i = 0; i < n; ++i) {
        own[i] = .5f * own[i] + all[at[i]];
        all[at[i]] += .1f * own[i];
    }
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 900;
    int docs = 24, words = 31, T = 7;
    long *start = malloc((n + 1) * sizeof *start);
    int *at = malloc(5 * n * sizeof *at), *d = calloc(docs * T, sizeof *d);
    int *w = calloc(words * T, sizeof *w), *totals = calloc(T, sizeof *totals);
    int *topic = malloc(n * sizeof *topic);
    float *x = malloc(5 * n * sizeof *x), *y = malloc(n * sizeof *y);
    float *one = calloc(WIDE, sizeof *one), *two = calloc(WIDE, sizeof *two);
    float *both = calloc(n + WIDE, sizeof *both);
    struct token *t = malloc(n * sizeof *t);
    double bias = 0, total = 0;
    for (long i = 0; i <= n; ++i)
        start[i] = i * 5 - i % 3;
    for (long k = 0; k < 5 * n; ++k)
        at[k] = (int)(k * 7919 % 97 * 200 + k % 3), x[k] = (float)(k % 13) * .05f;
    for (long i = 0; i < n; ++i) {
        y[i] = (float)(i % 11) * .2f;
        topic[i] = (int)(i * i % T);
        t[i] =
            (struct token){(int)(i * 613 % docs), (int)(i * i % words), .01f * (float)(i % 4 + 1)};
        d[t[i].doc * T + topic[i]]++, w[t[i].word * T + topic[i]]++, totals[topic[i]]++;
    }
    for (int pass = 0; pass < 2; ++pass) {
        printf("%.9g", descend(start, at, x, y, n, one));
        printf(" %.9g", lean(start, at, x, y, n, two, &bias));
        printf(" %ld\n", count(t, n, d, w, totals, topic, T));
        one[pass] += .5f;
        both[n] += 1, both[n + 200] += 2;
        beside(both, both + n, at, n, WIDE);
    }
    for (int i = 0; i < WIDE; ++i)
        total += one[i] + two[i] * 3 + squares[i] * .01;
    for (int i = 0; i < n + WIDE; ++i)
        total += both[i] * (i % 5);
    for (int k = 0; k < T; ++k)
        total += totals[k] * k;
    printf("%.17g %.17g\n", total, bias);
    free(start), free(at), free(d), free(w), free(totals), free(topic), free(x), free(y);
    free(one), free(two), free(t), free(both);
    return 0;
}
