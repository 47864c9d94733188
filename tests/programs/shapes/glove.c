/* GloVe as its authors lay it out: one table W for words and contexts (l2 behind the vocabulary), the bias in
 * an extra column of each row, squared gradients in a table of the same shape.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;
typedef struct cooccur_rec { int word1; int word2; real val; } CREC;

static long long vocab_size = 25;
static int vector_size = 5;
static real eta = 0.05, x_max = 10, alpha = 0.75;
static real *W, *gradsq;

static real train(const CREC *recs, long long n) {
    real cost = 0;
#pragma orrery parallel unordered
    for (long long a = 0; a < n; a++) {
        CREC cr = recs[a];
        long long l1 = (cr.word1 - 1LL) * (vector_size + 1);
        long long l2 = ((cr.word2 - 1LL) + vocab_size) * (vector_size + 1);
        real diff = 0;
        for (int b = 0; b < vector_size; b++) diff += W[b + l1] * W[b + l2];
        diff += W[vector_size + l1] + W[vector_size + l2] - log(cr.val);
        real fdiff = (cr.val > x_max) ? diff : pow(cr.val / x_max, alpha) * diff;
        cost += 0.5 * fdiff * diff;
        fdiff *= eta;
        for (int b = 0; b < vector_size; b++) {
            real t1 = fdiff * W[b + l2], t2 = fdiff * W[b + l1];
            W[b + l1] -= t1 / sqrt(gradsq[b + l1]);
            W[b + l2] -= t2 / sqrt(gradsq[b + l2]);
            gradsq[b + l1] += t1 * t1;
            gradsq[b + l2] += t2 * t2;
        }
        W[vector_size + l1] -= fdiff / sqrt(gradsq[vector_size + l1]);
        W[vector_size + l2] -= fdiff / sqrt(gradsq[vector_size + l2]);
        fdiff *= fdiff;
        gradsq[vector_size + l1] += fdiff;
        gradsq[vector_size + l2] += fdiff;
    }
    return cost / n;
}

int main(void) {
    long long n = 400, cells = 2 * vocab_size * (vector_size + 1);
    CREC *recs = malloc(n * sizeof(CREC));
    W = malloc(cells * sizeof(real));
    gradsq = malloc(cells * sizeof(real));
    for (long long a = 0; a < cells; a++) W[a] = 0.1 * sin((double)a), gradsq[a] = 1.0;
    for (long long a = 0; a < n; a++)
        recs[a] = (CREC){1 + (int)(a * 7 % vocab_size), 1 + (int)((a * 3 + a / 25) % vocab_size), 1 + (int)(a % 20)};
    for (int it = 0; it < 4; it++) printf("%.5f\n", train(recs, n));
    return 0;
}
