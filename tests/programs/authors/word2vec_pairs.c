/*
 * Skip-gram over pairs, five negatives from a table by rand() in a loop inside.
 * loop: serial ORR2210
 * says: draw from a counter-based generator
 * edit: rand() % table_size => (int)(orrery_random(orrery_random(1 + epoch, i), d) >> 33) % table_size
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#define DIM 16
#define NEG 5
static float *syn0, *syn1neg;
static int *table_;
static int table_size = 5000;
struct pair {
    int center, context;
};
int main(void) {
    int vocab = 300, npairs = 4000;
    srand(4);
    syn0 = malloc(vocab * DIM * sizeof(float));
    syn1neg = calloc(vocab * DIM, sizeof(float));
    table_ = malloc(table_size * sizeof(int));
    for (int i = 0; i < table_size; i++)
        table_[i] = rand() % vocab;
    for (int i = 0; i < vocab * DIM; i++)
        syn0[i] = (rand() / (float)RAND_MAX - .5f) / DIM;
    struct pair *pairs = malloc(npairs * sizeof *pairs);
    for (int i = 0; i < npairs; i++) {
        pairs[i].center = rand() % vocab;
        pairs[i].context = (pairs[i].center * 7 + rand() % 5) % vocab;
    }
    float alpha = .05f;
    for (int epoch = 0; epoch < 3; epoch++) {
#pragma orrery parallel
        for (int i = 0; i < npairs; i++) {
            float neu1e[DIM] = {0};
            float *v = syn0 + pairs[i].center * DIM;
            for (int d = 0; d < NEG + 1; d++) {
                int target, label;
                if (d == 0) {
                    target = pairs[i].context;
                    label = 1;
                } else {
                    target = table_[rand() % table_size];
                    if (target == pairs[i].context)
                        continue;
                    label = 0;
                }
                float *u = syn1neg + target * DIM, f = 0;
                for (int c = 0; c < DIM; c++)
                    f += v[c] * u[c];
                float g = (label - 1 / (1 + expf(-f))) * alpha;
                for (int c = 0; c < DIM; c++)
                    neu1e[c] += g * u[c];
                for (int c = 0; c < DIM; c++)
                    u[c] += g * v[c];
            }
            for (int c = 0; c < DIM; c++)
                v[c] += neu1e[c];
        }
        double s = 0;
        for (int i = 0; i < vocab * DIM; i++)
            s += syn0[i] * syn0[i];
        printf("epoch %d norm %.5f\n", epoch, s);
    }
    return 0;
}
