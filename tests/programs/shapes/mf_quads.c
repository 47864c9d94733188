/* Everything in main: ratings as int (*)[4] (user, item, value, weight), double factors in one VLA-like malloc.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

int main() {
    int n = 800, m = 50, v = 45, k = 6, i, j, it;
    int (*data)[4];
    double *U, *V;

    data = malloc(n * sizeof(*data));
    U = malloc(m * k * sizeof(double));
    V = malloc(v * k * sizeof(double));
    srand(7);
    for (i = 0; i < n; i++) {
        data[i][0] = rand() % m;
        data[i][1] = rand() % v;
        data[i][2] = 1 + (data[i][0] + data[i][1]) % 5;
        data[i][3] = 1 + rand() % 2;
    }
    for (i = 0; i < m * k; i++)
        U[i] = 0.5 + (i % 7) * 0.03;
    for (i = 0; i < v * k; i++)
        V[i] = 0.5 + (i % 5) * 0.04;

    for (it = 0; it < 3; it++) {
        double cost = 0.0;
        #pragma orrery parallel unordered
        for (i = 0; i < n; i++) {
            double dot = 0.0;
            double e;
            for (j = 0; j < k; j++)
                dot += U[data[i][0] * k + j] * V[data[i][1] * k + j];
            e = data[i][2] - dot;
            cost += data[i][3] * e * e;
            for (j = 0; j < k; j++) {
                double old = U[data[i][0] * k + j];
                U[data[i][0] * k + j] += 0.01 * data[i][3] * e * V[data[i][1] * k + j];
                V[data[i][1] * k + j] += 0.01 * data[i][3] * e * old;
            }
        }
        printf("iter %d cost %.5f\n", it, cost);
    }
    free(data);
    free(U);
    free(V);
    return 0;
}
