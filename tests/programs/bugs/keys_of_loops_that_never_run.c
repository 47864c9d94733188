/* emit: 12 */
/* Keys that a loop inside reads were gathered as if it ran at least once: it may run in no round,
 * in all iterations or in some, and then its keys lead nowhere. */
#include <stdio.h>
#include <stdlib.h>

struct pair {
    int user, item;
    double value;
};

struct list {
    int first, last;
};

static void one_key(double *a, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k[i]] = a[k[i]] * .5 + j;
}

static void two_keys(double *restrict w, double *restrict h, const struct pair *r, int n,
                     int rank) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rank; k++) {
            double error = r[i].value - w[r[i].user * rank + k] * h[r[i].item * rank + k];
            w[r[i].user * rank + k] += .01 * error;
            h[r[i].item * rank + k] += .01 * error;
        }
}

static void rows(double *restrict a, const int *restrict ptr, const int *restrict col, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int p = ptr[i]; p < ptr[i + 1]; p++)
            a[col[p]] = a[col[p]] * .25 + p;
}

static void rows_of_rows(double *restrict a, const struct list *restrict of,
                         const int *restrict ptr, const int *restrict col, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int s = of[i].first; s < of[i].last; s++)
            for (int p = ptr[s]; p < ptr[s + 1]; p++)
                a[col[p]] = a[col[p]] * .25 + p;
}

static void nested(double *a, const int *const *k, int n, int m, int l) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int o = 0; o < l; o++)
                a[k[0][i]] = a[k[0][i]] * .5 + j - o;
}

static void unsigned_rounds(double *a, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (unsigned j = 3; j > m + 2u; j--)
            a[k[i]] = a[k[i]] * .5 + j;
}

static void beside_condition(double *a, const int *k, const int *l, int n, int m, int which) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (which && l[i] > 3)
            for (int j = 0; j < m; j++)
                a[k[i]] = a[k[i]] * .5 + j;
    }
}

static void remainder_of(double *a, const int *k, int n, int m, int by) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[k[i] % by] = a[k[i] % by] * .5 + j;
}

static int find(const struct pair *r, int i) {
    return r[i].user;
}

static void in_callee(double *a, const struct pair *r, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[find(r, i)] = a[find(r, i)] * .5 + j;
}

static void backwards(double *a, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; i--)
        for (int j = m - 1; j >= 0; j--)
            a[k[i]] = a[k[i]] * .5 + j;
}

static void at_least_once(double *a, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        int j = 0;
        do {
            a[k[i]] = a[k[i]] * .5 + j;
        } while (++j < m);
    }
}

static void record_beside(double *restrict a, double *restrict sums, const struct pair *r, int n,
                          int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        sums[i] = i;
        for (int j = 0; j < m; j++) {
            a[r[i].user] = a[r[i].user] * .5 + r[i].value;
            sums[i] += r[i].value;
        }
    }
}

int main(void) {
    enum { N = 3000 };
    static double a[100], h[400], sums[N];
    static int k[N + 1], wild[N], ptr[N + 1], none[N + 1], col[2 * N];
    static struct pair r[N];
    static struct list of[N], empty[N];
    for (int i = 0; i < N; i++) {
        k[i] = i * 7 % 100;
        wild[i] = -100000000 + i;
        r[i] = (struct pair){i * 3 % 100, i * 11 % 100, i % 5};
        of[i] = (struct list){i, i + i % 2};
        empty[i] = (struct list){i, i};
    }
    for (int i = 0; i <= N; i++)
        ptr[i] = i / 2 * 3 < 2 * N ? i / 2 * 3 : 2 * N;
    for (int p = 0; p < 2 * N; p++)
        col[p] = p * 13 % 100;
    const int *const keys[] = {k};
    one_key(a, NULL, N, 0), one_key(a, wild, N, 0), one_key(a, wild, N, -7), one_key(a, k, N, 3),
        one_key(NULL, NULL, 0, 3);
    two_keys(NULL, NULL, NULL, N, 0), two_keys(h, a, r, N, 1), two_keys(NULL, NULL, NULL, 0, 8);
    rows(a, none, NULL, N), rows(a, ptr, col, N), rows(NULL, NULL, NULL, 0);
    rows_of_rows(a, empty, NULL, NULL, N), rows_of_rows(a, of, ptr, col, N);
    nested(a, NULL, N, 0, 1000), nested(a, NULL, N, 1, 0), nested(a, keys, N, 2, 2);
    unsigned_rounds(a, NULL, N, 1), unsigned_rounds(a, k, N, 0);
    beside_condition(a, NULL, NULL, N, 3, 0), beside_condition(a, NULL, k, N, 0, 1),
        beside_condition(a, k, k, N, 2, 1);
    remainder_of(a, NULL, N, 0, 0), remainder_of(a, k, N, 0, 0), remainder_of(a, k, N, 2, 77);
    in_callee(a, NULL, N, 0), in_callee(a, r, N, 2);
    backwards(a, NULL, N, 0), backwards(a, k, N, 2);
    at_least_once(a, k, N, 0), at_least_once(NULL, NULL, 0, 9);
    record_beside(a, sums, NULL, N, 0), record_beside(a, sums, r, N, 2);
    for (int i = 0; i < 100; i++)
        printf("%.9g %.9g %.9g\n", a[i], h[i], sums[30 * i]);
    return 0;
}
