/*
 * Loops in the C that people write: unions, variable arrays, globals of several dimensions,
 * compound literals, commas, switches, nested calls, macros around loops and bodies, _Generic, GNU
 * extensions, walking pointers, inductions.
 *
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * loop: parallel independent
 * result: same
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 600, K = 7 };

typedef float real;
union word {
    real f;
    unsigned bits;
};
struct point {
    real x, y;
};

static void words(union word *w, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        w[i].f *= 2;
        w[i].bits ^= 1;
    }
}

static void variable_rows(int n, int m, real a[n][m], real b[n][m]) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        real t[m];
        for (int j = 0; j < m; j++)
            t[j] = b[i][j];
        for (int j = 0; j < m; j++)
            a[i][j] += t[m - 1 - j];
    }
}

static real weight[20][30][4];

static void of_three_dimensions(const real *x) {
#pragma orrery parallel
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++)
            for (int k = 0; k < 4; k++)
                weight[i][j][k] += x[j * 4 + k];
}

static real norm(const struct point *p) {
    return p->x * p->x + p->y * p->y;
}

static void literals(struct point *restrict q, real *restrict r, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        q[i] = (struct point){(real)i, q[i].y};
        r[i] = norm(&(struct point){q[i].x, 2}), q[i].y += 1;
    }
}

static void kinds(real *restrict a, const int *restrict kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (kind[i] < 0)
            continue;
        switch (kind[i]) {
        case 0:
            a[i] = 1;
            break;
        case 1:
            a[i] = 2; /* fall through */
        default:
            a[i] += kind[i] > 5 ? 1 : 2, a[i] *= 2;
        }
    }
}

static inline real square(real x) {
    return x * x;
}

static real distance(const real *a, const real *b, int k) {
    real sum = 0;
    while (k--)
        sum += square(*a++ - *b++);
    return sum;
}

static void step(real *row, const real *g, int k, real rate) {
    for (int i = 0; i < k; i++)
        row[i] -= rate * g[i];
}

static void nested_calls(real *restrict X, const real *restrict y, real *restrict d, int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        d[i] = distance(X + i * k, y, k);
        step(&X[i * k], y, k, 1 / (1 + d[i]));
    }
}

#define EACH(i, n) for (int i = 0; i < (n); i++)
#define ROW(A, i, k) ((A) + (long)(i) * (k))
#define SCALE(row, k, by) EACH(j, k)(row)[j] *= (by)

static void macros(real *A, int n, int k) {
#pragma orrery parallel
    EACH(i, n) {
        real *row = ROW(A, i, k);
        SCALE(row, k, .5f);
    }
}

#define SIZE_OF(x) _Generic((x), float: fabsf, double: fabs, int: abs)(x)

static void generic(real *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] = SIZE_OF(a[i]) + sqrtf(SIZE_OF(a[i]));
}

#define MOST(a, b)                                                                                 \
    ({                                                                                             \
        __typeof__(a) _a = (a);                                                                    \
        __typeof__(b) _b = (b);                                                                    \
        _a > _b ? _a : _b;                                                                         \
    })

static void extensions(real *restrict a, const real *restrict b, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] = MOST(b[i], 0.f) ?: 1;
}

static void walking(const real *restrict p, real *restrict q, int n, int s) {
    int j = 5;
#pragma orrery parallel
    for (int i = 0; i < n; i++, p += 2) {
        *q++ += p[0] * p[1] + (real)j;
        j += s;
    }
}

int main(void) {
    static real a[N * K], b[N * K], d[N];
    static union word w[N];
    static struct point q[N];
    static int kind[N];
    for (int i = 0; i < N * K; i++)
        a[i] = (real)(i * 37 % 101), b[i] = (real)(i * 11 % 53) - 20;
    for (int i = 0; i < N; i++)
        w[i].f = a[i], q[i].y = b[i], kind[i] = i % 9 - 1;
    words(w, N);
    variable_rows(N, K, (real(*)[K])a, (real(*)[K])b);
    of_three_dimensions(b);
    literals(q, d, N);
    kinds(d, kind, N);
    nested_calls(a, b, d, N, K);
    macros(a, N, K);
    generic(b, N * K);
    extensions(d, b, N);
    walking(b, a, N, 3);
    double sum = 0;
    for (int i = 0; i < N * K; i++)
        sum = sum * .75 + a[i] + b[i] + d[i / K] + w[i / K].f + q[i / K].y;
    for (int i = 0; i < 20 * 30 * 4; i++)
        sum = sum * .75 + weight[i / 120][i / 4 % 30][i % 4];
    printf("%.17g\n", sum);
    return 0;
}
