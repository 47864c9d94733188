/* expect: parallel independent ordered
 * carried: none
 */
#include <stdlib.h>
#include <string.h>

struct table {
    int rows, columns;
    double **at;
};

static struct table *make(int rows, int columns) {
    struct table *t = malloc(sizeof *t);
    t->rows = rows;
    t->columns = columns;
    t->at = malloc(rows * sizeof *t->at);
    for (int i = 0; i < rows; ++i)
        t->at[i] = calloc(columns, sizeof *t->at[i]);
    return t;
}

static void drop(struct table *t) {
    for (int i = 0; i < t->rows; ++i)
        free(t->at[i]);
    free(t->at);
    free(t);
}

/* a table per pair, two copies and rows that change places */
void distances(const double *x, double *out, int n, int m) {
    double *copy;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        struct table *t = make(m + 1, m + 1);
        copy = malloc(m * sizeof *copy);
        memcpy(copy, x + (long)i * m, m * sizeof *copy);
        for (int a = 1; a <= m; ++a)
            for (int b = 1; b <= m; ++b)
                t->at[a][b] = copy[a - 1] * x[b - 1] + t->at[a - 1][b - 1];
        double *first = t->at[0];
        t->at[0] = t->at[1];
        t->at[1] = first;
        out[i] = t->at[m][m] + t->at[0][1];
        free(copy);
        drop(t);
    }
}
