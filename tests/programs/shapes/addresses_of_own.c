/* Addresses of a worker's copies that stay in the iteration: in its own structures, in a pointer that nobody looks at
 * behind the loop, through functions.
 * loop: parallel reduction
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, K = 8 };
struct view {
    double *row;
    int n;
};
static double x[N * K], y[N];

static void view_set(struct view *view, double *row, int n) {
    view->row = row;
    view->n = n;
}

static double sum(const double *row, int n) {
    const double *own = row;
    double s = 0;
    for (int k = 0; k < n; ++k)
        s += own[k];
    return s;
}

int main(void) {
    double scratch[K], *p, *q, total = 0;
    int counts[K] = {0}, i, k;
    for (i = 0; i < N * K; ++i)
        x[i] = i * 7 % 13;
#pragma orrery parallel
    for (i = 0; i < N; ++i) {
        struct view view, *handle = &view;
        int *count = &counts[i % K];
        for (k = 0; k < K; ++k)
            scratch[k] = x[i * K + k] * k;
        view_set(handle, scratch, K);
        y[i] = sum(scratch, view.n);
        total += y[i];
        ++*count;
    }
#pragma orrery parallel
    for (i = 0; i < N; ++i) {
        double own[K];
        p = own;
        for (k = 0; k < K; ++k)
            p[k] = x[i * K + k] - k;
        q = p + 2;
        y[i] += q[1] * p[0];
    }
    for (i = 0; i < K; ++i)
        printf("%d ", counts[i]);
    printf("%g %g\n", total, y[77]);
    return 0;
}
