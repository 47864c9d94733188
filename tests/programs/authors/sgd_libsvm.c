/*
 * Linear regression by SGD over libsvm's rows: a product and an update, each up to the index -1.
 * loop: parallel levels
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
struct feature_node {
    int index;
    double value;
};
struct problem {
    int l, n;
    double *y;
    struct feature_node **x;
};
int main(void) {
    struct problem prob = {1500, 400, 0, 0};
    srand(3);
    prob.y = malloc(prob.l * sizeof(double));
    prob.x = malloc(prob.l * sizeof(struct feature_node *));
    for (int i = 0; i < prob.l; i++) {
        int c = 1 + rand() % 10;
        prob.x[i] = malloc((c + 1) * sizeof(struct feature_node));
        prob.y[i] = 0;
        for (int k = 0; k < c; k++) {
            prob.x[i][k].index = 1 + rand() % prob.n;
            prob.x[i][k].value = rand() / (double)RAND_MAX;
            prob.y[i] += prob.x[i][k].value * (prob.x[i][k].index % 7 - 3);
        }
        prob.x[i][c].index = -1;
    }
    double *w = calloc(prob.n, sizeof(double));
    double eta = .1;
    for (int t = 0; t < 6; t++) {
        double loss = 0;
#pragma orrery parallel
        for (int i = 0; i < prob.l; i++) {
            struct feature_node *xi = prob.x[i];
            double z = 0;
            while (xi->index != -1) {
                z += w[xi->index - 1] * xi->value;
                xi++;
            }
            double g = z - prob.y[i];
            loss += g * g;
            for (xi = prob.x[i]; xi->index != -1; xi++)
                w[xi->index - 1] -= eta * g * xi->value;
        }
        printf("%d %.8f\n", t, loss / prob.l);
    }
    return 0;
}
