/*
 * Conjugate gradients with the symmetric Gauss-Seidel preconditioner: every step solves with the
 * two sparse triangles of the matrix, one row after the other.
 *
 * Build: cc -O3 sptrsv.c -o sptrsv -lm     or     orrery-cc -O3 sptrsv.c -o sptrsv -lm
 */
#include "matrix.h"

/* Without Orrery the pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { CHUNK = 4096 };

struct settings {
    const char *output;
    int grid, steps, quiet;
    double tolerance;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--grid", OPTION_INT, AT(grid), 1, 20000,
     "without a file: the Laplacian of N x N points (300)"},
    {"--steps", OPTION_INT, AT(steps), 0, 1e9, "at most so many steps (500)"},
    {"--tolerance", OPTION_REAL, AT(tolerance), 0, 1, "until the residual has shrunk so (1e-8)"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "file to write the solution to (native doubles)"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* (L + D) y = r */
static void solve_lower(const struct matrix *m, const double *restrict r, double *restrict y) {
    const int *start = m->low, *column = m->low_column;
    const double *value = m->low_value, *diagonal = m->diagonal;
#pragma orrery parallel
    for (int i = 0; i < m->n; ++i) {
        double s = r[i];
        for (int p = start[i]; p < start[i + 1]; ++p)
            s -= value[p] * y[column[p]];
        y[i] = s / diagonal[i];
    }
}

/* (D + L^T) z = D y, from the last row to the first */
static void solve_upper(const struct matrix *m, const double *restrict y, double *restrict z) {
    const int *start = m->up, *column = m->up_column;
    const double *value = m->up_value, *diagonal = m->diagonal;
#pragma orrery parallel
    for (int i = m->n - 1; i >= 0; --i) {
        double s = diagonal[i] * y[i];
        for (int p = start[i]; p < start[i + 1]; ++p)
            s -= value[p] * z[column[p]];
        z[i] = s / diagonal[i];
    }
}

static void multiply(const struct matrix *m, const double *restrict x, double *restrict to) {
#pragma orrery parallel
    for (int i = 0; i < m->n; ++i) {
        double s = m->diagonal[i] * x[i];
        for (int p = m->low[i]; p < m->low[i + 1]; ++p)
            s += m->low_value[p] * x[m->low_column[p]];
        for (int p = m->up[i]; p < m->up[i + 1]; ++p)
            s += m->up_value[p] * x[m->up_column[p]];
        to[i] = s;
    }
}

/* Chunk by chunk, so that the order of the additions is written down. */
static double dot(int n, const double *a, const double *b, double *restrict part) {
    int chunks = (n + CHUNK - 1) / CHUNK;
    double sum = 0;
#pragma orrery parallel
    for (int c = 0; c < chunks; ++c) {
        int end = (c + 1) * CHUNK < n ? (c + 1) * CHUNK : n;
        double s = 0;
        for (int i = c * CHUNK; i < end; ++i)
            s += a[i] * b[i];
        part[c] = s;
    }
    for (int c = 0; c < chunks; ++c)
        sum += part[c];
    return sum;
}

/* to = a + factor * b */
static void add(int n, const double *a, double factor, const double *b, double *to) {
    for (int i = 0; i < n; ++i)
        to[i] = a[i] + factor * b[i];
}

static void save(const char *path, int n, const double *x) {
    FILE *file = model_open(path);
    fwrite(x, sizeof *x, (size_t)n, file);
    model_close(path, file);
}

static double *vector(int n) {
    return matrix_alloc((size_t)n, sizeof(double));
}

static void solve(const struct settings *o, const struct matrix *m) {
    int n = m->n;
    double *x = vector(n), *r = vector(n), *y = vector(n), *z = vector(n), *d = vector(n);
    double *ad = vector(n), *part = vector(n / CHUNK + 1);
    for (int i = 0; i < n; ++i)
        r[i] = 1 + i % 7;
    double first = sqrt(dot(n, r, r, part)), norm = first, before = 0, start = clock_seconds(),
           solving = 0;
    long step = 0;
    for (; step < o->steps && norm > o->tolerance * first; ++step) {
        double from = clock_seconds();
        solve_lower(m, r, y);
        solve_upper(m, y, z);
        solving += clock_seconds() - from;
        double rz = dot(n, r, z, part);
        add(n, z, step ? rz / before : 0, d, d);
        multiply(m, d, ad);
        double alpha = rz / dot(n, d, ad, part);
        add(n, x, alpha, d, x);
        add(n, r, -alpha, ad, r);
        before = rz;
        norm = sqrt(dot(n, r, r, part));
        if (!o->quiet && step % 10 == 9)
            printf("step %4ld  residual %.3e\n", step + 1, norm / first);
    }
    double seconds = clock_seconds() - start;
    multiply(m, x, ad);
    for (int i = 0; i < n; ++i)
        r[i] = 1 + i % 7 - ad[i];
    printf("%d rows, %ld steps, %.6f s, %.6f s in triangles, residual %.3e, checked %.3e\n", n,
           step, seconds, solving, norm / first, sqrt(dot(n, r, r, part)) / first);
    if (o->output)
        save(o->output, n, x);
    free(x), free(r), free(y), free(z), free(d), free(ad), free(part);
}

int main(int argc, char **argv) {
    struct settings s = {.grid = 300, .steps = 500, .tolerance = 1e-8};
    const char *path = options_parse(argc, argv, "sptrsv [options] [SYMMETRIC.mtx]",
                                     sizeof table / sizeof *table, table, &s);
    struct matrix m = path ? matrix_read(path) : matrix_grid(s.grid);
    solve(&s, &m);
    matrix_free(&m);
    return 0;
}
