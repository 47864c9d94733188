/* CP decomposition of a three-way tensor by SGD over its triples: three tables, three keys.
 * loop: parallel rotation-nd
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int idx[3]; double val; } entry;

static void cp_epoch(const entry *e, int n, double *A, double *B, double *C, int R) {
    #pragma orrery parallel unordered
    for (int t = 0; t < n; t++) {
        double *a = A + e[t].idx[0] * R, *b = B + e[t].idx[1] * R, *c = C + e[t].idx[2] * R;
        double err = e[t].val;
        for (int r = 0; r < R; r++)
            err -= a[r] * b[r] * c[r];
        for (int r = 0; r < R; r++) {
            double x = a[r], y = b[r], z = c[r];
            a[r] += .01 * err * y * z;
            b[r] += .01 * err * x * z;
            c[r] += .01 * err * x * y;
        }
    }
}

int main(void) {
    int n = 700, R = 4, I = 20, J = 18, L = 16;
    entry *e = malloc(n * sizeof *e);
    double *A = malloc(I * R * sizeof *A), *B = malloc(J * R * sizeof *B), *C = malloc(L * R * sizeof *C);
    for (int t = 0; t < n; t++)
        e[t] = (entry){{t % I, (t * 7 + t / 20) % J, (t * 5 + t / 18) % L}, 1 + t % 4};
    for (int i = 0; i < I * R; i++) A[i] = .7 + .01 * (i % 7);
    for (int i = 0; i < J * R; i++) B[i] = .7 + .01 * (i % 5);
    for (int i = 0; i < L * R; i++) C[i] = .7 + .01 * (i % 3);
    for (int ep = 0; ep < 3; ep++) {
        cp_epoch(e, n, A, B, C, R);
        double s = 0;
        for (int i = 0; i < I * R; i++) s += A[i];
        printf("%.4f\n", s);
    }
    return 0;
}
