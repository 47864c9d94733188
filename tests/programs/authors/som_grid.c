/*
 * A batch self-organizing map whose neighbourhood is a pointer to a function.
 * loop: parallel reduction
 * ranks: 2
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    double *w;
} cell_t;
typedef struct {
    int rows, cols, dim;
    cell_t **grid;
    double (*kernel)(double, double);
} som_t;
static double gauss(double d, double s) {
    return exp(-d / (2 * s * s));
}
static double bubble(double d, double s) {
    return d <= s * s;
}
static void winner(const som_t *m, const double *x, int *wr, int *wc) {
    double best = HUGE_VAL;
    for (int r = 0; r < m->rows; r++)
        for (int c = 0; c < m->cols; c++) {
            double s = 0;
            for (int k = 0; k < m->dim; k++)
                s += pow(x[k] - m->grid[r][c].w[k], 2);
            if (s < best) {
                best = s;
                *wr = r;
                *wc = c;
            }
        }
}
int main(int argc, char **argv) {
    som_t m = {5, 6, 4, malloc(5 * sizeof(cell_t *)), argc > 1 ? bubble : gauss};
    int n = 500;
    for (int r = 0; r < 5; r++) {
        m.grid[r] = malloc(6 * sizeof(cell_t));
        for (int c = 0; c < 6; c++) {
            m.grid[r][c].w = malloc(4 * sizeof(double));
            for (int k = 0; k < 4; k++)
                m.grid[r][c].w[k] = (r * 7 + c * 3 + k * 5) % 11 / 11.;
        }
    }
    double *x = malloc(n * 4 * sizeof *x), num[5][6][4], den[5][6];
    for (int i = 0; i < n * 4; i++)
        x[i] = i * 37 % 101 / 101.;
    for (int t = 0; t < 5; t++) {
        double sigma = 2.0 / (1 + t);
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 6; c++) {
                den[r][c] = 1e-9;
                for (int k = 0; k < 4; k++)
                    num[r][c][k] = 0;
            }
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            int wr = 0, wc = 0;
            winner(&m, &x[i * 4], &wr, &wc);
            for (int r = 0; r < m.rows; r++)
                for (int c = 0; c < m.cols; c++) {
                    double h = m.kernel((r - wr) * (r - wr) + (c - wc) * (c - wc), sigma);
                    den[r][c] += h;
                    for (int k = 0; k < m.dim; k++)
                        num[r][c][k] += h * x[i * 4 + k];
                }
        }
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 6; c++)
                for (int k = 0; k < 4; k++)
                    m.grid[r][c].w[k] = num[r][c][k] / den[r][c];
    }
    for (int r = 0; r < 5; r++)
        printf("%.8f %.8f\n", m.grid[r][0].w[0], m.grid[r][5].w[3]);
}
