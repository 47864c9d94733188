/*
 * UMAP's layout: an edge attracts its ends, negative samples push the head away.
 * loop: serial ORR2210
 * edit: y[rand() % n] => y[(orrery_random(1 + epoch, 5L * e + s) >> 33) % n]
 * then: parallel levels
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double clip(double v) {
    if (v > 4)
        return 4;
    if (v < -4)
        return -4;
    return v;
}

int main(void) {
    int n = 200, edges = 1500, negative = 5;
    double a = 1.57, b = 0.89, alpha = 1;
    srand(8);
    double **y = malloc(n * sizeof(double *));
    int *head = malloc(edges * sizeof(int)), *tail = malloc(edges * sizeof(int));
    for (int i = 0; i < n; i++) {
        y[i] = malloc(2 * sizeof(double));
        y[i][0] = rand() % 1000 / 50.0 - 10;
        y[i][1] = rand() % 1000 / 50.0 - 10;
    }
    for (int e = 0; e < edges; e++) {
        head[e] = rand() % n;
        tail[e] = (head[e] + 1 + rand() % 10) % n;
    }
    for (int epoch = 0; epoch < 4; epoch++) {
#pragma orrery parallel
        for (int e = 0; e < edges; e++) {
            double *cur = y[head[e]], *oth = y[tail[e]];
            double dx = cur[0] - oth[0], dy = cur[1] - oth[1];
            double d2 = dx * dx + dy * dy;
            if (d2 > 0) {
                double g = -2 * a * b * pow(d2, b - 1) / (a * pow(d2, b) + 1);
                cur[0] += clip(g * dx) * alpha;
                cur[1] += clip(g * dy) * alpha;
                oth[0] -= clip(g * dx) * alpha;
                oth[1] -= clip(g * dy) * alpha;
            }
            for (int s = 0; s < negative; s++) {
                double *neg = y[rand() % n];
                dx = cur[0] - neg[0];
                dy = cur[1] - neg[1];
                d2 = dx * dx + dy * dy;
                if (d2 <= 0)
                    continue;
                double g = 2 * b / ((0.001 + d2) * (a * pow(d2, b) + 1));
                cur[0] += clip(g * dx) * alpha;
                cur[1] += clip(g * dy) * alpha;
            }
        }
        alpha = 1 - (epoch + 1) / 4.0;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += y[i][0] * i + y[i][1];
    printf("%.17g\n", sum);
    return 0;
}
