/*
 * The forward algorithm of a hidden Markov model for many sequences, scaled.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define S 6
#define O 10

typedef struct {
    int length;
    int *obs;
    double loglik;
} sequence;

typedef struct {
    double pi[S], A[S][S], B[S][O];
} hmm;

static double forward(const hmm *m, const sequence *q) {
    double alpha[S], next[S], ll = 0;
    for (int t = 0; t < q->length; t++) {
        double scale = 0;
        for (int j = 0; j < S; j++) {
            double a = t == 0 ? m->pi[j] : 0;
            if (t > 0)
                for (int i = 0; i < S; i++)
                    a += alpha[i] * m->A[i][j];
            next[j] = a * m->B[j][q->obs[t]];
            scale += next[j];
        }
        for (int j = 0; j < S; j++)
            alpha[j] = next[j] / scale;
        ll += log(scale);
    }
    return ll;
}

int main(void) {
    hmm *m = malloc(sizeof(hmm));
    int n = 100;
    sequence *seqs = malloc(n * sizeof(sequence));
    srand(23);
    for (int i = 0; i < S; i++) {
        m->pi[i] = 1.0 / S;
        for (int j = 0; j < S; j++)
            m->A[i][j] = (i == j ? 3.0 : 1.0) / (S + 2);
        for (int o = 0; o < O; o++)
            m->B[i][o] = ((i + o) % 4 + 1) / 25.0;
    }
    for (int s = 0; s < n; s++) {
        seqs[s].length = 20 + rand() % 50;
        seqs[s].obs = malloc(seqs[s].length * sizeof(int));
        for (int t = 0; t < seqs[s].length; t++)
            seqs[s].obs[t] = rand() % O;
    }
    double total = 0;
#pragma orrery parallel
    for (int s = 0; s < n; s++) {
        seqs[s].loglik = forward(m, &seqs[s]);
        total += seqs[s].loglik;
    }
    printf("%.9g %.17g\n", total, seqs[n - 1].loglik);
    return 0;
}
