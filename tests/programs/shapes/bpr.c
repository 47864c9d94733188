/* Bayesian personalized ranking: a user's row, and two rows of one item table (liked and not liked).
 * loop: parallel tournament
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct triple { int user, liked, other; };

int main(void) {
    const int n = 300, d = 4;
    struct triple *t = malloc(n * sizeof *t);
    float *U = malloc(30 * d * sizeof *U), *V = malloc(25 * d * sizeof *V);
    for (int i = 0; i < n; i++) t[i] = (struct triple){i % 30, i * 3 % 25, (i * 7 + 1) % 25};
    for (int i = 0; i < 30 * d; i++) U[i] = .1f * (i % 7);
    for (int i = 0; i < 25 * d; i++) V[i] = .1f * (i % 5);
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        float *u = U + t[i].user * d, *a = V + t[i].liked * d, *b = V + t[i].other * d, x = 0;
        for (int k = 0; k < d; k++) x += u[k] * (a[k] - b[k]);
        float g = 1 / (1 + expf(x));
        for (int k = 0; k < d; k++) {
            float w = u[k];
            u[k] += .05f * g * (a[k] - b[k]);
            a[k] += .05f * g * w;
            b[k] -= .05f * g * w;
        }
    }
    printf("%.5f %.5f\n", U[5], V[9]);
    return 0;
}
