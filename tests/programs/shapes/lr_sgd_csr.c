/* Logistic regression by SGD over CSR rows: w[col[p]] of all features of a row.
 * loop: serial ORR2111
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n = 80, d = 25, nnz = 0;
    int *rowptr = malloc((n + 1) * sizeof(int)), *colidx = malloc(n * 5 * sizeof(int));
    double *values = malloc(n * 5 * sizeof(double)), *w = calloc(d, sizeof(double));
    char *y = malloc(n);
    for (int i = 0; i < n; i++) {
        rowptr[i] = nnz;
        for (int j = 0; j < 1 + i % 5; j++, nnz++)
            colidx[nnz] = (i + j * j * 3) % d, values[nnz] = 1.0 / (1 + j);
        y[i] = i % 3 == 0;
    }
    rowptr[n] = nnz;
    for (int epoch = 0; epoch < 5; epoch++) {
        double nll = 0;
        #pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            double z = 0;
            for (int p = rowptr[i]; p < rowptr[i + 1]; p++)
                z += w[colidx[p]] * values[p];
            double prob = 1 / (1 + exp(-z));
            nll -= y[i] ? log(prob) : log(1 - prob);
            for (int p = rowptr[i]; p < rowptr[i + 1]; p++)
                w[colidx[p]] += 0.1 * (y[i] - prob) * values[p];
        }
        printf("%f\n", nll);
    }
    return 0;
}
