/* Ordered loops by levels in everyday forms: rows read in a called function, backwards and every other entry, a table of
 * row pointers with links that may be missing, a key under a condition, a condition inside of the inner loop.
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { N = 4000 };
static int ptr[N + 1], col[8 * N]; static double val[8 * N];
static double x[N], y[N];
struct sys { int n; const int *ptr, *col; const double *val; double *x; };
static double dot(const struct sys *s, int i) { double t = 0; for (int p = s->ptr[i]; p < s->ptr[i + 1]; ++p) t += s->val[p] * s->x[s->col[p]]; return t; }
static void a(struct sys *s) {
    #pragma orrery parallel
    for (int i = 0; i < s->n; ++i) s->x[i] = .5 * s->x[i] + .1 * dot(s, i);
}
static void b(void) {
    #pragma orrery parallel
    for (int i = N - 1; i >= 0; --i) { double t = 0; for (int p = ptr[i]; p < ptr[i + 1]; p += 2) t += val[p] * y[N - 1 - col[p]]; y[i] = t * .1 + y[i] * .5; }
}
static void c(int n, double **rows, const int *link) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) { int l = link[i]; if (l < 0) continue; for (int k = 0; k < 4; ++k) rows[i][k] = .5 * rows[i][k] + .25 * rows[l][3 - k]; }
}
static void e(const int *link, int m) {
    #pragma orrery parallel
    for (int i = 0; i < N; ++i) { if (m > 0 && link[i] >= 0) x[link[i] % m] = .5 * x[link[i] % m] + x[i]; }
}
static void f(const int *link) {
    int p = 7;
    #pragma orrery parallel
    for (int i = 0; i < N; ++i) { double s = 0; for (int q = ptr[i]; q < ptr[i + 1]; ++q) { int k = col[q]; if (val[q] > 1.5) s += x[k]; else s -= x[(k + p) % N]; } x[i] = x[i] * .5 + s * .1; }
    printf("%d ", p + link[0]);
}
static unsigned long h(const void *m, size_t n) { unsigned long v = 1469598103934665603UL; for (const unsigned char *q = m; n--; ) v = (v ^ *q++) * 1099511628211UL; return v; }
int main(void) {
    unsigned s = 3; int nz = 0; int *link = malloc(N * sizeof *link); double **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; ++i) {
        ptr[i] = nz; s = s * 1664525u + 1013904223u; int k = i ? (s >> 20) % 4 : 0;
        for (; k--;) { s = s * 1664525u + 1013904223u; col[nz] = (s >> 8) % i; val[nz++] = (s >> 24) % 7 * .3; }
        s = s * 1664525u + 1013904223u; link[i] = i ? (int)((s >> 8) % N) - 200 : -1;
        x[i] = i % 11; y[i] = i % 7;
        rows[i] = malloc(4 * sizeof **rows); for (int j = 0; j < 4; ++j) rows[i][j] = i + j;
    }
    ptr[N] = nz;
    struct sys sys = {N, ptr, col, val, x};
    for (int r = 0; r < 3; ++r) { a(&sys); b(); c(N, rows, link); e(link, N - 5); e(link, 0); f(link); }
    unsigned long hr = 0; for (int i = 0; i < N; ++i) hr = hr * 31 + h(rows[i], 32);
    printf("%lx %lx %lx\n", h(x, sizeof x), h(y, sizeof y), hr);
    return 0;
}
