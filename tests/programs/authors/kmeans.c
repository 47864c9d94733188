/*
 * k-means over double **points.
 * loop: parallel reduction
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

static double distance(const double *a, const double *b, int d) {
    double s = 0;
    for (int j = 0; j < d; j++)
        s += (a[j] - b[j]) * (a[j] - b[j]);
    return s;
}

static double **matrix(int rows, int cols) {
    double **m = malloc(rows * sizeof(double *));
    for (int i = 0; i < rows; i++)
        m[i] = calloc(cols, sizeof(double));
    return m;
}

int main(void) {
    int n = 2000, d = 6, k = 8;
    srand(31);
    double **points = matrix(n, d), **centers = matrix(k, d), **sums = matrix(k, d);
    int *counts = malloc(k * sizeof(int)), *label = calloc(n, sizeof(int));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < d; j++)
            points[i][j] = rand() % 1024 / 64.0;
    for (int c = 0; c < k; c++)
        for (int j = 0; j < d; j++)
            centers[c][j] = points[c][j];
    for (int it = 0; it < 6; it++) {
        int changed = 0;
        for (int c = 0; c < k; c++) {
            counts[c] = 0;
            for (int j = 0; j < d; j++)
                sums[c][j] = 0;
        }
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            int best = 0;
            double least = DBL_MAX;
            for (int c = 0; c < k; c++) {
                double dist = distance(points[i], centers[c], d);
                if (dist < least) {
                    least = dist;
                    best = c;
                }
            }
            if (label[i] != best) {
                label[i] = best;
                changed++;
            }
            counts[best]++;
            for (int j = 0; j < d; j++)
                sums[best][j] += points[i][j];
        }
        for (int c = 0; c < k; c++)
            for (int j = 0; j < d; j++)
                if (counts[c])
                    centers[c][j] = sums[c][j] / counts[c];
        printf("%d changed %d\n", it, changed);
    }
    for (int c = 0; c < k; c++)
        printf("%d %.17g\n", counts[c], centers[c][0]);
    return 0;
}
