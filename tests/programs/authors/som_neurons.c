/*
 * A self-organizing map whose neurons have weights behind a table of tables.
 * loop: parallel reduction
 * loop: parallel independent
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double *weights;
    int x, y;
} Neuron;
int main(void) {
    int g = 8, d = 3, n = 200;
    Neuron **map = malloc(g * sizeof *map);
    double(*in)[3] = malloc(n * sizeof *in);
    srand(7);
    for (int i = 0; i < g; i++) {
        map[i] = malloc(g * sizeof **map);
        for (int j = 0; j < g; j++) {
            map[i][j].weights = malloc(d * sizeof(double));
            map[i][j].x = i;
            map[i][j].y = j;
            for (int k = 0; k < d; k++)
                map[i][j].weights[k] = rand() / (double)RAND_MAX;
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++)
            in[i][k] = rand() / (double)RAND_MAX;
    for (int t = 0; t < 300; t++) {
        double *x = in[rand() % n], best = 1e30;
        int bi = 0, bj = 0;
#pragma orrery parallel
        for (int i = 0; i < g; i++)
            for (int j = 0; j < g; j++) {
                double s = 0;
                for (int k = 0; k < d; k++) {
                    double e = map[i][j].weights[k] - x[k];
                    s += e * e;
                }
                if (s < best) {
                    best = s;
                    bi = i;
                    bj = j;
                }
            }
        double rate = .3 * exp(-t / 100.0), radius = 3 * exp(-t / 100.0);
#pragma orrery parallel
        for (int i = 0; i < g; i++)
            for (int j = 0; j < g; j++) {
                double dd = (i - bi) * (i - bi) + (j - bj) * (j - bj);
                if (dd > radius * radius)
                    continue;
                double h = exp(-dd / (2 * radius * radius));
                for (int k = 0; k < d; k++)
                    map[i][j].weights[k] += rate * h * (x[k] - map[i][j].weights[k]);
            }
        if (t % 100 == 0)
            printf("%d %d %d %.6f\n", t, bi, bj, best);
    }
    printf("%.9g\n", map[3][4].weights[1]);
}
