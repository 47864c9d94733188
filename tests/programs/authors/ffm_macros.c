/*
 * A field-aware machine over jagged rows of nodes: index macros, and helpers that are handed the example.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int field, feature;
    float value;
} node;
typedef struct {
    node *nodes;
    int n;
    float label;
} example;
#define K 4
#define NF 5
#define NFEAT 100
#define W(j, f, k) w[((j) * NF + (f)) * K + (k)]
#define G(j, f, k) gr[((j) * NF + (f)) * K + (k)]
static float *w, *gr;
static float predict(example *e) {
    float s = 0;
    for (int a = 0; a < e->n; a++)
        for (int b = a + 1; b < e->n; b++) {
            node *x = &e->nodes[a], *y = &e->nodes[b];
            float d = 0;
            for (int k = 0; k < K; k++)
                d += W(x->feature, y->field, k) * W(y->feature, x->field, k);
            s += d * x->value * y->value;
        }
    return s;
}
static void update(example *e, float kappa, float eta, float lambda) {
    for (int a = 0; a < e->n; a++)
        for (int b = a + 1; b < e->n; b++) {
            node *x = &e->nodes[a], *y = &e->nodes[b];
            float v = x->value * y->value;
            for (int k = 0; k < K; k++) {
                float *wa = &W(x->feature, y->field, k), *wb = &W(y->feature, x->field, k);
                float ga = lambda * *wa + kappa * *wb * v, gb = lambda * *wb + kappa * *wa * v;
                G(x->feature, y->field, k) += ga * ga;
                G(y->feature, x->field, k) += gb * gb;
                *wa -= eta / sqrtf(G(x->feature, y->field, k)) * ga;
                *wb -= eta / sqrtf(G(y->feature, x->field, k)) * gb;
            }
        }
}
int main(void) {
    int n = 400;
    w = malloc(NFEAT * NF * K * sizeof(float));
    gr = malloc(NFEAT * NF * K * sizeof(float));
    for (int i = 0; i < NFEAT * NF * K; i++) {
        w[i] = rand() / (float)RAND_MAX * .5f;
        gr[i] = 1;
    }
    example *ex = malloc(n * sizeof(example));
    for (int i = 0; i < n; i++) {
        ex[i].n = NF;
        ex[i].label = rand() % 2 ? 1 : -1;
        ex[i].nodes = malloc(NF * sizeof(node));
        for (int f = 0; f < NF; f++) {
            ex[i].nodes[f].field = f;
            ex[i].nodes[f].feature = f * 20 + rand() % 20;
            ex[i].nodes[f].value = .4f;
        }
    }
    for (int it = 0; it < 4; it++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            float t = predict(&ex[i]);
            float y = ex[i].label;
            float e = expf(-y * t);
            loss += log1p(e);
            float kappa = -y * e / (1 + e);
            update(&ex[i], kappa, .1f, 2e-5f);
        }
        printf("%d %.5f\n", it, loss / n);
    }
    return 0;
}
