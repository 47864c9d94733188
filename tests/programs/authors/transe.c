/*
 * TransE: head + relation = tail, with corrupted triples prepared before each pass.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIM 10

struct triple {
    int h, r, t;
};

static float entity[120][DIM], relation[12][DIM];

static float distance(const float *h, const float *r, const float *t) {
    float s = 0;
    for (int k = 0; k < DIM; k++)
        s += fabsf(h[k] + r[k] - t[k]);
    return s;
}

static void step(float *h, float *r, float *t, float rate) {
    for (int k = 0; k < DIM; k++) {
        float g = h[k] + r[k] - t[k] > 0 ? rate : -rate;
        h[k] -= g;
        r[k] -= g;
        t[k] += g;
    }
}

int main(void) {
    int n = 1500;
    srand(4);
    struct triple *train = malloc(n * sizeof(struct triple));
    int *corrupt = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) {
        train[i].h = rand() % 120;
        train[i].r = rand() % 12;
        train[i].t = (train[i].h + 7 * train[i].r + 1) % 120;
    }
    for (int i = 0; i < 120; i++)
        for (int k = 0; k < DIM; k++)
            entity[i][k] = rand() / (float)RAND_MAX - 0.5f;
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < DIM; k++)
            relation[i][k] = rand() / (float)RAND_MAX - 0.5f;
    for (int epoch = 0; epoch < 4; epoch++) {
        for (int i = 0; i < n; i++)
            corrupt[i] = rand() % 120;
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            int h = train[i].h, r = train[i].r, t = train[i].t, c = corrupt[i];
            float violation = 1 + distance(entity[h], relation[r], entity[t]) -
                              distance(entity[h], relation[r], entity[c]);
            if (violation > 0) {
                loss += violation;
                step(entity[h], relation[r], entity[t], 0.01f);
                step(entity[h], relation[r], entity[c], -0.01f);
            }
        }
        printf("epoch %d loss %.9g\n", epoch, loss / n);
    }
    return 0;
}
