/*
 * GloVe with AdaGrad over an array of cooccurrence records, as in the authors' program.
 * loop: parallel ordered-rotation
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef double real;
typedef struct cooccur_rec {
    int word1, word2;
    real val;
} CREC;

static real *W, *gradsq;
static CREC *cr;
static int vector_size = 10;
static long long vocab_size = 150, num_lines = 2500;
static real eta = 0.05, x_max = 100, alpha = 0.75;

static void initialize_parameters(void) {
    W = malloc(2 * vocab_size * (vector_size + 1) * sizeof(real));
    gradsq = malloc(2 * vocab_size * (vector_size + 1) * sizeof(real));
    for (long long a = 0; a < 2 * vocab_size * (vector_size + 1); a++) {
        W[a] = (rand() / (real)RAND_MAX - 0.5) / vector_size;
        gradsq[a] = 1.0;
    }
}

static real glove_pass(void) {
    real cost = 0;
#pragma orrery parallel
    for (long long a = 0; a < num_lines; a++) {
        long long l1 = (cr[a].word1 - 1LL) * (vector_size + 1);
        long long l2 = ((cr[a].word2 - 1LL) + vocab_size) * (vector_size + 1);
        real diff = 0;
        for (int b = 0; b < vector_size; b++)
            diff += W[b + l1] * W[b + l2];
        diff += W[vector_size + l1] + W[vector_size + l2] - log(cr[a].val);
        real fdiff = (cr[a].val > x_max) ? diff : pow(cr[a].val / x_max, alpha) * diff;
        cost += 0.5 * fdiff * diff;
        fdiff *= eta;
        for (int b = 0; b < vector_size; b++) {
            real temp1 = fdiff * W[b + l2];
            real temp2 = fdiff * W[b + l1];
            W[b + l1] -= temp1 / sqrt(gradsq[b + l1]);
            W[b + l2] -= temp2 / sqrt(gradsq[b + l2]);
            gradsq[b + l1] += temp1 * temp1;
            gradsq[b + l2] += temp2 * temp2;
        }
        W[vector_size + l1] -= fdiff / sqrt(gradsq[vector_size + l1]);
        W[vector_size + l2] -= fdiff / sqrt(gradsq[vector_size + l2]);
        fdiff *= fdiff;
        gradsq[vector_size + l1] += fdiff;
        gradsq[vector_size + l2] += fdiff;
    }
    return cost;
}

int main(void) {
    srand(21);
    cr = malloc(num_lines * sizeof(CREC));
    for (long long a = 0; a < num_lines; a++) {
        cr[a].word1 = 1 + rand() % vocab_size;
        cr[a].word2 = 1 + rand() % vocab_size;
        cr[a].val = 1 + rand() % 200;
    }
    initialize_parameters();
    for (int b = 0; b < 4; b++)
        fprintf(stdout, "iter %d cost %.9g\n", b, glove_pass() / num_lines);
    return 0;
}
