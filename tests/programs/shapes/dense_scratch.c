/* Sparse rows scattered into a dense scratch vector, used, and cleared again for the next record.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int rows = 40, d = 30;
    int *ptr = malloc((rows + 1) * sizeof *ptr), *col = malloc(rows * 5 * sizeof *col);
    double *val = malloc(rows * 5 * sizeof *val), *out = malloc(rows * sizeof *out);
    double dense[30];
    for (int r = 0; r <= rows; r++) ptr[r] = r * 5;
    for (int p = 0; p < rows * 5; p++) col[p] = p * 7 % d, val[p] = p % 9 * .5;
#pragma orrery parallel
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < d; j++) dense[j] = 0;
        for (int p = ptr[r]; p < ptr[r + 1]; p++) dense[col[p]] += val[p];
        double s = 0;
        for (int j = 1; j < d; j++) s += dense[j] * dense[j - 1] + dense[j];
        out[r] = s;
    }
    for (int r = 0; r < rows; r += 7) printf("%.6f\n", out[r]);
    return 0;
}
