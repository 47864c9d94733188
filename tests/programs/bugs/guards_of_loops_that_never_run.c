/* emit: 21 */
/* What the run checks, shapes of arrays and what is summed into followed pointers that only a loop
 * inside follows, which never runs. */
#include <stdio.h>
#include <stdlib.h>

struct vector {
    double *w;
    long n, step;
};

struct model {
    struct vector *in;
    double **rows, ***cubes, loss, best;
    int K, *keys;
};

static void one_pointer(const struct vector *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++)
            a[i] += s->w[j];
    }
}

static void two_pointers(const struct model *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++)
            a[i] += s->in->w[j];
    }
}

static void bound_inside(const struct model *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++)
            for (long k = 0; k < s->in->n; k++)
                a[i] += s->in->w[k];
    }
}

static void width_inside(const struct model *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < s->K; k++)
                a[i * s->K + k] = a[i * s->K + k] * .5 + j;
}

static void width_below(const struct model *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < s->K; k++)
                a[i * 16 + k] = a[i * 16 + k] * .5 + j;
}

static void width_not_needed(double *a, int n, int m, int width) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < width; k++)
                a[i * 16 + k] = a[i * 16 + k] * .5 + j;
}

static void tables(const struct model *s, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->rows[i][j] = i + j;
}

static void tables_of_tables(const struct model *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        for (int j = 0; j < m; j++)
            a[i] += s->cubes[0][j % 3][i % 4];
    }
}

static void sums(struct model *s, const double *x, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->loss += x[i];
}

static void greatest(struct model *s, const double *x, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i] > s->best)
                s->best = x[i];
}

static void sums_by_key(const struct model *s, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s->in->w[s->keys[i]] += i + j;
}

static void sums_by_pointer(double *g, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            g[k[i]] += i + j;
}

static void sums_in_rows(double **g, const int *k, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            g[k[i] & 3][j] += i + j;
}

static void ranges(double *restrict a, const int *restrict ptr, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = ptr[i]; p < ptr[i + 1]; p++)
                a[p] = a[p] * .5 + j;
}

static void stride(const struct vector *s, double *a, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; i += s->step)
        a[i] = a[i] * .5 + 1;
}

static void moved(const struct vector *s, double *a, const double *x, int n, int m) {
    long at = 0;
    int i;
#pragma orrery parallel
    for (i = 0; i < n; i++) {
        a[i] = i + x[at];
        for (int j = 0; j < m; j++)
            at += s->step;
    }
    a[0] += at;
}

static void quotient(double *a, int n, int m, int p, int q) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * (p / q) + j] = i - j;
}

static void counts(const struct vector *s, double *a, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            long at = 0;
            for (long k = 0; k < s->n; k++)
                at++;
            a[i] = a[i] * .5 + at;
        }
}

static void choice(struct model *s, const double *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > s->best) {
            s->best = x[i];
            s->K = i;
        }
}

static void conditions(const struct model *s, double *a, int n, int m, int kind) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        if (kind)
            for (int j = 0; j < m; j++)
                if (s->in)
                    a[i] += s->in->w[j];
    }
}

/* The sum of the subscript must not wrap around, which is asked of each key. */
static void wrapping(double *restrict a, const double *x, const unsigned *restrict k, int n,
                     int m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > 0)
            for (int j = 0; j < m; j++)
                a[k[i] * 3u + 1u] = a[k[i] * 3u + 1u] * .5 + j;
}

int main(void) {
    enum { N = 2000 };
    static double a[16 * N], x[8 * N], w[128];
    static int ptr[N + 1], k[N];
    static unsigned u[N];
    static struct vector in = {w, 3, 2}, zero;
    static struct model s = {.in = &in, .K = 4, .keys = k}, nothing, wide = {.K = 99};
    double **rows = malloc(N * sizeof *rows), **cube = malloc(3 * sizeof *cube),
           ***cubes = malloc(sizeof *cubes);
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 31, w[i % 128] = i % 9, k[i] = i % 100, u[i] = i % 90,
        ptr[i + 1] = i / 2 + 1;
        rows[i] = calloc(8, sizeof(double));
    }
    for (int i = 0; i < 3; i++)
        cube[i] = calloc(4, sizeof(double));
    cubes[0] = cube;
    s.rows = rows, s.cubes = cubes;
    one_pointer(NULL, a, N, 0), one_pointer(&in, a, N, 3), one_pointer(NULL, NULL, 0, 3);
    two_pointers(NULL, a, N, 0), two_pointers(&s, a, N, 3), two_pointers(&nothing, a, N, 0);
    bound_inside(NULL, a, N, 0), bound_inside(&s, a, N, 2), bound_inside(&nothing, a, N, -1);
    width_inside(NULL, NULL, N, 0), width_inside(&s, a, N, 2), width_inside(&nothing, NULL, N, 3);
    width_below(NULL, NULL, N, 0), width_below(&s, a, N, 2), width_below(&wide, a, N, 0);
    width_not_needed(NULL, N, 0, 99), width_not_needed(a, N, 2, 7);
    tables(NULL, N, 0), tables(&s, N, 3), tables(NULL, 0, 3);
    tables_of_tables(NULL, a, N, 0), tables_of_tables(&s, a, N, 3);
    sums(NULL, NULL, N, 0), sums(&s, x, N, 2), sums(NULL, NULL, 0, 2);
    greatest(NULL, NULL, N, 0), greatest(&s, x, N, 2), greatest(NULL, NULL, 0, 2);
    sums_by_key(NULL, N, 0), sums_by_key(&s, N, 2), sums_by_key(NULL, 0, 2);
    sums_by_pointer(NULL, NULL, N, 0), sums_by_pointer((double *)8, NULL, N, 0),
        sums_by_pointer(a, k, N, 2);
    sums_in_rows(NULL, NULL, N, 0), sums_in_rows(rows, k, N, 3), sums_in_rows(NULL, NULL, 0, 3);
    ranges(NULL, NULL, N, 0), ranges(a, ptr, N, 2), ranges(NULL, NULL, 0, 2);
    stride(NULL, NULL, 0), stride(&in, a, N), stride(&zero, NULL, -5);
    moved(NULL, a, x, N, 0), moved(&in, a, x, N, 1), moved(NULL, a, NULL, 0, 1);
    quotient(NULL, N, 0, 1, 0), quotient(a, N, 2, 9, 3), quotient(NULL, 0, 2, 1, 0);
    counts(NULL, NULL, N, 0), counts(&in, a, N, 2), counts(&zero, a, N, 0);
    choice(NULL, NULL, 0), choice(&s, x, N), choice(NULL, NULL, -1);
    conditions(NULL, a, N, 0, 1), conditions(NULL, a, N, 2, 0), conditions(&nothing, a, N, 2, 1);
    conditions(&s, a, N, 3, 1);
    wrapping(NULL, x, NULL, N, 0), wrapping(a, x, u, N, 3), wrapping(NULL, NULL, NULL, 0, 3);
    printf("%.9g %.9g %d\n", s.loss, s.best, s.K);
    for (int i = 0; i < N; i++)
        printf("%.9g %.9g %.9g\n", a[i], w[i % 128], rows[i][i % 8]);
    return 0;
}
