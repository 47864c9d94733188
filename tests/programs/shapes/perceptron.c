/* The online perceptron: every iteration reads all weights and the bias, and may write them.
 * loop: serial ORR2201
 */
#include <stdio.h>

#define M 120
#define N 5

double X[M][N];
int Y[M];
double w[N], b;

int main(void) {
    int i, j, mistakes;
    for (i = 0; i < M; i++) {
        for (j = 0; j < N; j++) X[i][j] = (i * (j + 2) % 11) / 5.0 - 1;
        Y[i] = X[i][0] + X[i][1] > 0 ? 1 : -1;
    }
    for (int pass = 0; pass < 5; pass++) {
        mistakes = 0;
#pragma orrery parallel unordered
        for (i = 0; i < M; i++) {
            double a = b;
            for (j = 0; j < N; j++) a += w[j] * X[i][j];
            if (a * Y[i] <= 0) {
                mistakes++;
                for (j = 0; j < N; j++) w[j] += Y[i] * X[i][j];
                b += Y[i];
            }
        }
        printf("%d\n", mistakes);
    }
    return 0;
}
