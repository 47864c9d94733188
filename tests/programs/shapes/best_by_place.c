/*
 * The best of many, found by its place alone, and by ?: on one comparison.
 *
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
static int least(const float *x, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        if (x[i] < x[at])
            at = i;
    return at;
}
static int last_greatest(const float *x, const char *ok, int n) {
    int at = -1, kind = 0;
    for (int i = 0; i < n && at < 0; i++)
        if (ok[i])
            at = i;
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        if (ok[i] && x[i] >= x[at]) {
            kind = i % 7;
            at = i;
        }
    return at * 10 + kind;
}
static long named(const double *x, long n) {
    long at = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; i++) {
        double v = x[i];
        if (v > x[at])
            at = i;
    }
    return at;
}
static int ternaries(const int *x, int n, int *least) {
    int best = 1 << 30, at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        at = x[i] < best ? i : at;
        best = x[i] < best ? x[i] : best;
    }
    *least = best;
    return at;
}
static int flagged(const float *x, const int *y, int n, float *most) {
    float best = -1;
    int at = -1, other = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        int better = x[i] > best, own = y[i];
        best = better ? x[i] : best;
        at = better ? i : at;
        other = better ? own : other;
    }
    *most = best;
    return at + other;
}
static int ternary_place(const float *x, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        at = x[i] < x[at] ? i : at;
    return at;
}
static int through(const float *x, const int *order, int n) {
    int at = 0;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        if (x[order[i]] < x[order[at]])
            at = i;
    return at;
}
int main(void) {
    int n = 5000;
    float *x = malloc(sizeof *x * n);
    double *d = malloc(sizeof *d * n);
    int *k = malloc(sizeof *k * n), *o = malloc(sizeof *o * n);
    char *ok = malloc(n);
    for (int round = 0; round < 5; round++) {
        srand(round);
        for (int i = 0; i < n; i++) {
            x[i] = rand() % (200 << round);
            d[i] = rand() % 777;
            k[i] = rand() % 999 + 5;
            o[i] = rand() % n;
            ok[i] = rand() % 3 == 0;
        }
        int l;
        float m;
        printf("%d %d %ld", least(x, n), last_greatest(x, ok, n), named(d, n));
        int t = ternaries(k, n, &l), f = flagged(x, k, n, &m);
        printf(" %d %d %d %g %d %d\n", t, l, f, m, ternary_place(x, n), through(x, o, n));
    }
    return 0;
}
