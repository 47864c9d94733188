/*
 * word2vec: skip-gram with five negatives over one text, negatives from a linear congruential generator.
 * loop: serial ORR2201
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef float real;

int main(void) {
    long vocab = 200, dim = 12, tokens = 1200, window = 3;
    int negative = 5;
    real alpha = 0.025f;
    unsigned long long next_random = 1;
    int *text = malloc(tokens * sizeof(int));
    real *syn0 = malloc(vocab * dim * sizeof(real));
    real *syn1neg = calloc(vocab * dim, sizeof(real));
    for (long i = 0; i < tokens; i++) {
        next_random = next_random * 25214903917ULL + 11;
        text[i] = (int)((next_random >> 16) % vocab);
    }
    for (long i = 0; i < vocab * dim; i++) {
        next_random = next_random * 25214903917ULL + 11;
        syn0[i] = (((next_random & 0xFFFF) / (real)65536) - 0.5f) / dim;
    }
    for (int epoch = 0; epoch < 2; epoch++) {
#pragma orrery parallel
        for (long pos = 0; pos < tokens; pos++) {
            int word = text[pos];
            real neu1e[12];
            for (long a = -window; a <= window; a++) {
                long c = pos + a;
                if (a == 0 || c < 0 || c >= tokens)
                    continue;
                long l1 = text[c] * dim;
                for (long k = 0; k < dim; k++)
                    neu1e[k] = 0;
                for (int d = 0; d < negative + 1; d++) {
                    int target, label;
                    if (d == 0) {
                        target = word;
                        label = 1;
                    } else {
                        next_random = next_random * 25214903917ULL + 11;
                        target = (int)((next_random >> 16) % vocab);
                        if (target == word)
                            continue;
                        label = 0;
                    }
                    long l2 = target * dim;
                    real f = 0;
                    for (long k = 0; k < dim; k++)
                        f += syn0[k + l1] * syn1neg[k + l2];
                    real g = (label - 1 / (1 + expf(-f))) * alpha;
                    for (long k = 0; k < dim; k++)
                        neu1e[k] += g * syn1neg[k + l2];
                    for (long k = 0; k < dim; k++)
                        syn1neg[k + l2] += g * syn0[k + l1];
                }
                for (long k = 0; k < dim; k++)
                    syn0[k + l1] += neu1e[k];
            }
        }
    }
    double sum = 0;
    for (long i = 0; i < vocab * dim; i++)
        sum += syn0[i] * (i % 5 + 1);
    printf("%.17g\n", sum);
    return 0;
}
