/* Small matrix functions in a header, called from marked loops.
 * loop: parallel rotation-2d
 * loop: parallel independent
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

#include "with_header.h"

int main(void) {
    int users = 40, items = 25, nnz = 700, k = 6, *u = malloc(nnz * sizeof *u), *v = malloc(nnz * sizeof *v);
    double *value = malloc(nnz * sizeof *value), *norm = malloc(users * sizeof *norm);
    struct table W = {malloc(users * k * sizeof(double)), k}, H = {malloc(items * k * sizeof(double)), k};
    clear(W.rows, users * k);
    for (int i = 0; i < users * k; i++) W.rows[i] += 0.1 + 0.01 * (i % 7);
    for (int i = 0; i < items * k; i++) H.rows[i] = 0.1 + 0.01 * (i % 5);
    for (int n = 0; n < nnz; n++) u[n] = n * 17 % users, v[n] = n * 29 % items, value[n] = 1 + n % 3;
    for (int pass = 0; pass < 20; pass++) {
#pragma orrery parallel unordered
        for (int n = 0; n < nnz; n++) {
            double *w = row_of(&W, u[n]), *h = row_of(&H, v[n]);
            double e = value[n] - dot(w, h, k);
            add_scaled(w, h, 0.02 * e, k);
            add_scaled(h, w, 0.02 * e, k);
        }
    }
#pragma orrery parallel
    for (int i = 0; i < users; i++) norm[i] = dot(row_of(&W, i), row_of(&W, i), k);
    double sum = 0;
    for (int i = 0; i < users; i++) sum += norm[i];
    printf("%.4f\n", sum);
    return 0;
}
