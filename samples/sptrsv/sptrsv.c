/*
 * Conjugate gradients with the symmetric Gauss-Seidel preconditioner: every step solves with the
 * two sparse triangles of the matrix, one row after the other.
 *
 * Build: cc -O3 sptrsv.c -o sptrsv -lm     or     orrery-cc -O3 sptrsv.c -o sptrsv -lm
 */
#include "../common/program.h"

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

/* ---- symmetric sparse matrices by rows: generated, or read from Matrix Market text ---- */

/* A = L + D + L^T. Row i of L: entries [low[i], low[i + 1]), all left of the diagonal; row i of the
 * upper triangle: [up[i], up[i + 1]). */
struct matrix {
    int n;
    int *low, *low_column, *up, *up_column;
    double *low_value, *up_value, *diagonal;
};

struct entry {
    int row, column;
    double value;
};

/* Zeros. */
static void *matrix_alloc(size_t count, size_t size) {
    return memset(make(NULL, count, size), 0, count * size);
}

static int entry_compare(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int rows = (x->row > y->row) - (x->row < y->row);
    return rows ? rows : (x->column > y->column) - (x->column < y->column);
}

static void side_fill(int n, long count, struct entry *e, int **start, int **column,
                      double **value) {
    qsort(e, (size_t)count, sizeof *e, entry_compare);
    *start = matrix_alloc((size_t)n + 1, sizeof **start);
    *column = matrix_alloc((size_t)count, sizeof **column);
    *value = matrix_alloc((size_t)count, sizeof **value);
    for (long i = 0; i < count; ++i) {
        (*start)[e[i].row + 1] = (int)i + 1;
        (*column)[i] = e[i].column;
        (*value)[i] = e[i].value;
    }
    for (int r = 0; r < n; ++r)
        if ((*start)[r + 1] < (*start)[r])
            (*start)[r + 1] = (*start)[r];
}

/* `lower`: the entries left of the diagonal, put in order here. */
static void matrix_fill(struct matrix *m, long count, struct entry *lower) {
    side_fill(m->n, count, lower, &m->low, &m->low_column, &m->low_value);
    for (long i = 0; i < count; ++i)
        lower[i] = (struct entry){lower[i].column, lower[i].row, lower[i].value};
    side_fill(m->n, count, lower, &m->up, &m->up_column, &m->up_value);
}

/* The five-point Laplacian of a square of grid x grid points. */
static struct matrix matrix_grid(int grid) {
    struct matrix m = {.n = grid * grid};
    struct entry *e = matrix_alloc(2 * (size_t)m.n, sizeof *e);
    long count = 0;
    m.diagonal = matrix_alloc((size_t)m.n, sizeof *m.diagonal);
    for (int i = 0; i < m.n; ++i) {
        m.diagonal[i] = 4;
        if (i >= grid)
            e[count++] = (struct entry){i, i - grid, -1};
        if (i % grid)
            e[count++] = (struct entry){i, i - 1, -1};
    }
    matrix_fill(&m, count, e);
    free(e);
    return m;
}

static void matrix_bad(const char *path, long line, const char *what) {
    fprintf(stderr, "%s:%ld: error: %s\n", path, line, what);
    exit(1);
}

/* The next line that holds something; NULL at the end. */
static char *matrix_line(FILE *in, char *text, int size, long *line) {
    while (fgets(text, size, in)) {
        ++*line;
        if (*text != '%' && text[strspn(text, " \t\r\n")])
            return text;
    }
    return NULL;
}

/* One number of a line; *text moves behind it. */
static double matrix_number(const char *path, long line, char **text) {
    char *end;
    errno = 0;
    double value = strtod(*text, &end);
    if (end == *text || errno || !isfinite(value))
        matrix_bad(path, line, "expected a number");
    *text = end;
    return value;
}

static int matrix_index(const char *path, long line, char **text, int n) {
    double value = matrix_number(path, line, text);
    if (value < 1 || value > n || value != floor(value))
        matrix_bad(path, line, "expected a row and a column from 1 to the matrix's order");
    return (int)value - 1;
}

/* `%%MatrixMarket matrix coordinate real symmetric`:
 * the lower triangle, with all of the diagonal. */
static struct matrix matrix_read(const char *path) {
    struct matrix m = {0};
    char text[256];
    long line = 1, count = 0;
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "%s: error: cannot open: %s\n", path, strerror(errno));
        exit(1);
    }
    if (!fgets(text, sizeof text, in) ||
        strncmp(text, "%%MatrixMarket matrix coordinate real symmetric", 47) != 0)
        matrix_bad(path, 1, "expected `%%MatrixMarket matrix coordinate real symmetric`");
    char *at = matrix_line(in, text, sizeof text, &line);
    if (!at)
        matrix_bad(path, line, "the file ends before its sizes");
    double rows = matrix_number(path, line, &at), columns = matrix_number(path, line, &at);
    double entries = matrix_number(path, line, &at);
    if (rows < 1 || rows > 1e8 || rows != columns || entries < 0 || entries > 1e9)
        matrix_bad(path, line, "expected the sizes of a square matrix");
    m.n = (int)rows;
    m.diagonal = matrix_alloc((size_t)m.n, sizeof *m.diagonal);
    struct entry *e = matrix_alloc((size_t)entries, sizeof *e);
    for (long k = 0; k < (long)entries; ++k) {
        if (!(at = matrix_line(in, text, sizeof text, &line)))
            matrix_bad(path, line, "the file ends before its last entry");
        int row = matrix_index(path, line, &at, m.n), column = matrix_index(path, line, &at, m.n);
        double value = matrix_number(path, line, &at);
        if (column > row)
            matrix_bad(path, line, "expected entries of the lower triangle only");
        if (row == column)
            m.diagonal[row] += value;
        else
            e[count++] = (struct entry){row, column, value};
    }
    for (int i = 0; i < m.n; ++i)
        if (!(m.diagonal[i] > 0))
            matrix_bad(path, line, "the diagonal is not positive");
    fclose(in);
    matrix_fill(&m, count, e);
    free(e);
    return m;
}

static void matrix_free(struct matrix *m) {
    free(m->low);
    free(m->low_column);
    free(m->low_value);
    free(m->up);
    free(m->up_column);
    free(m->up_value);
    free(m->diagonal);
}

/* ---- the method ---- */

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
