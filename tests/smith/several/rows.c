#include "rows.h"

void rows_fill(double *rows, int *keys, int count) {
    for (int i = 0; i < count; i++) {
        keys[i] = (i * 7 + 3) % count;
        for (int k = 0; k < WIDTH; k++)
            rows[i * WIDTH + k] = i - 2 * k;
    }
    for (int i = 1; i < count; i++) {
        double *row = rows + keys[i] * WIDTH;
        for (int k = 0; k < WIDTH; k++)
            row[k] = row[k] * 0.5 + rows[k];
    }
}

double rows_norm(const double *rows, const int *keys, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double best = rows[keys[i] * WIDTH];
        for (int k = 1; k < WIDTH; k++)
            if (rows[keys[i] * WIDTH + k] < best)
                best = rows[keys[i] * WIDTH + k];
        sum += best;
    }
    return sum;
}
