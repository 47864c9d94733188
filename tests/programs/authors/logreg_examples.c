/*
 * Logistic regression by stochastic gradient descent over an array of pointers to examples.
 * loop: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct feature {
    int index;
    double value;
};

struct example {
    int label;
    int count;
    struct feature *features;
};

static struct example *make_example(int dims) {
    struct example *ex = malloc(sizeof(struct example));
    ex->count = 3 + rand() % 5;
    ex->features = malloc(ex->count * sizeof(struct feature));
    double score = 0;
    for (int i = 0; i < ex->count; i++) {
        ex->features[i].index = rand() % dims;
        ex->features[i].value = rand() % 100 / 100.0;
        score += (ex->features[i].index % 2 ? 1 : -1) * ex->features[i].value;
    }
    ex->label = score > 0;
    return ex;
}

static double predict(const double *w, const struct example *ex) {
    double z = 0;
    for (int i = 0; i < ex->count; i++)
        z += w[ex->features[i].index] * ex->features[i].value;
    return 1.0 / (1.0 + exp(-z));
}

int main(void) {
    int n = 2000, dims = 500, epochs = 4;
    double rate = 0.1;
    srand(7);
    struct example **ex = malloc(n * sizeof(struct example *));
    for (int i = 0; i < n; i++)
        ex[i] = make_example(dims);
    double *w = calloc(dims, sizeof(double));
    for (int epoch = 0; epoch < epochs; epoch++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double p = predict(w, ex[i]);
            double err = p - ex[i]->label;
            loss += ex[i]->label ? -log(p + 1e-12) : -log(1 - p + 1e-12);
            for (int j = 0; j < ex[i]->count; j++)
                w[ex[i]->features[j].index] -= rate * err * ex[i]->features[j].value;
        }
        printf("epoch %d loss %.9g\n", epoch, loss / n);
    }
    double norm = 0;
    for (int j = 0; j < dims; j++)
        norm += w[j] * w[j];
    printf("norm %.17g\n", norm);
    return 0;
}
