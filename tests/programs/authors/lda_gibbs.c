/*
 * Collapsed Gibbs sampling for LDA: counts in int **, one loop over all tokens.
 * loop: serial ORR2210
 * edit: rand() / (RAND_MAX + 1.0) * => (int)(orrery_random(1 + it, i) >> 33) / (RAND_MAX + 1.0) *
 * edit: orrery parallel => orrery parallel relax(nt)
 * then: parallel ordered-rotation
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

static int **table(int rows, int cols) {
    int **t = malloc(rows * sizeof(int *));
    for (int i = 0; i < rows; i++)
        t[i] = calloc(cols, sizeof(int));
    return t;
}

int main(void) {
    int D = 60, V = 100, K = 8, N = 3000;
    double alpha = 0.1, beta = 0.01;
    int *doc = malloc(N * sizeof(int)), *word = malloc(N * sizeof(int)),
        *topic = malloc(N * sizeof(int));
    int **nd = table(D, K), **nw = table(V, K);
    int *nt = calloc(K, sizeof(int));
    srand(1);
    for (int i = 0; i < N; i++) {
        doc[i] = i * D / N;
        word[i] = (doc[i] * 13 + rand() % 20) % V;
        topic[i] = rand() % K;
        nd[doc[i]][topic[i]]++;
        nw[word[i]][topic[i]]++;
        nt[topic[i]]++;
    }
    for (int it = 0; it < 5; it++) {
#pragma orrery parallel
        for (int i = 0; i < N; i++) {
            int d = doc[i], w = word[i], z = topic[i];
            double p[64];
            nd[d][z]--;
            nw[w][z]--;
            nt[z]--;
            double sum = 0;
            for (int k = 0; k < K; k++) {
                sum += (nd[d][k] + alpha) * (nw[w][k] + beta) / (nt[k] + V * beta);
                p[k] = sum;
            }
            double u = rand() / (RAND_MAX + 1.0) * sum;
            for (z = 0; z < K - 1; z++)
                if (u < p[z])
                    break;
            topic[i] = z;
            nd[d][z]++;
            nw[w][z]++;
            nt[z]++;
        }
        long h = 0;
        for (int k = 0; k < K; k++)
            h = h * 31 + nt[k];
        printf("%d %ld\n", it, h);
    }
    return 0;
}
