/* Loops whose pointers may be equal: "twice" has a text of its own for that, "kept" has none. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 60000, ROWS = 40, COLUMNS = 90 };

struct pair {
    double r, v;
};

static double sum_of(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * .75 + x[i];
    return sum;
}

/* twice: r and v */
static void resid(double **u, double **v, double **r, double a) {
    for (int i = 1; i < ROWS - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            r[i][j] = v[i][j] - a * (u[i][j - 1] + u[i - 1][j] + u[i + 1][j]);
}

/* twice: any of the three are one */
static void add(int n, double *c, const double *a, const double *b) {
    for (int i = 0; i < n; i++)
        c[i] = a[i] * .5 + b[i] / 3;
}

/* twice: members have the names of the pointers, and a number counts from below */
static void scale(int n, double *r, const double *v, struct pair factor) {
    int i;
    for (i = -n; i < 0; ++i) {
        /* v */ const double x = v[i + n] * factor.v; // r
        r[i + n] = x > 1 ? x - factor.r : x;
    }
    if (i)
        abort();
}

/* kept: r needs other elements of v */
static void shift(int n, double *r, const double *v) {
    for (int i = 1; i < n; i++)
        r[i] = v[i - 1] + .25 * v[i];
}

/* kept: a name inside hides v */
static void hide(int n, double *r, const double *v) {
    for (int i = 0; i < n; i++) {
        r[i] = v[i] + 1;
        {
            double v = i;
            r[i] += v * .5;
        }
    }
}

/* kept: v moves */
static void move(int n, double *r, const double *v) {
    for (int i = 0; i < n; i++)
        r[i] = *v++ * .5;
}

/* kept: it is promised that they differ */
static void apart(int n, double *restrict r, const double *restrict v) {
    for (int i = 0; i < n; i++)
        r[i] = v[i] * .5;
}

/* kept: a pointer of another type reads the bytes otherwise */
static void bits(int n, unsigned *r, const int *v) {
    for (int i = 0; i < n; i++)
        r[i] = (unsigned)(v[i] / 3);
}

/* kept: a directive stands inside */
static void directive(int n, double *r, const double *v) {
    for (int i = 0; i < n; i++)
#if 1
        r[i] = v[i] + 2;
#else
        r[i] = v[i];
#endif
}

#define SPELLED(x) ((x) * (double)sizeof #x)

/* kept: a macro makes a string of the name */
static void spelled(int n, double *r, const double *value) {
    for (int i = 0; i < n; i++)
        r[i] = SPELLED(value[i]) * .0625;
}

/* kept: a member has the name, and no point in front of it */
static void member(int n, double *r, const double *v) {
    for (int i = 0; i < n; i++)
        r[i] = v[i] * .5 + (double)offsetof(struct pair, v);
}

static double **table(void) {
    double **rows = malloc(ROWS * sizeof *rows);
    if (!rows)
        abort();
    for (int i = 0; i < ROWS; i++) {
        rows[i] = calloc(COLUMNS, sizeof **rows);
        if (!rows[i])
            abort();
        for (int j = 0; j < COLUMNS; j++)
            rows[i][j] = (i * 7 + j * 3) % 11;
    }
    return rows;
}

static double x[N + 8], y[N + 8], z[N + 8];
static int words[N];

int main(void) {
    double **u = table(), **v = table(), **r = table();
    struct pair factor = {.5, 1.0625};
    for (int i = 0; i < N + 8; i++)
        x[i] = i % 13, y[i] = i % 7 * .5, z[i] = i % 5;
    for (int i = 0; i < N; i++)
        words[i] = i * 37 - N;
    for (int pass = 0; pass < 3; pass++) {
        double *p[] = {x, y, z};
        resid(u, v, r, .1), resid(u, r, r, .2), resid(r, r, r, .01), resid(u, u, v, .3);
        for (int k = 0; k < 27; k++)
            add(N, p[k % 3], p[k / 3 % 3], p[k / 9]);
        add(N, x + 1, x, y), add(N, x, x + 2, x), add(N, y, z, y + 1);
        scale(N, x, y, factor), scale(N, x, x, factor), scale(N, z + 3, z, factor);
        shift(N, x, y), shift(N, x, x), hide(N, y, x), hide(N, y, y);
        move(N, x, y), move(N, x, x), apart(N, x, z), bits(N, (unsigned *)words, words);
        directive(N, z, z), directive(N, z, x);
        for (int k = 0; k < 4; k++)
            spelled(N, p[k % 2], p[k / 2]), member(N, p[k % 2], p[k / 2]);
    }
    printf("%a %a %a\n", sum_of(x, N), sum_of(y, N), sum_of(z, N));
    for (int i = 0; i < ROWS; i += 5)
        printf("%a %a %a\n", sum_of(u[i], COLUMNS), sum_of(v[i], COLUMNS), sum_of(r[i], COLUMNS));
    for (int i = 0; i < N; i += 1000)
        printf("%d\n", words[i]);
}
