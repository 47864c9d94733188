/* Symmetric sparse matrices by rows: generated, or read from Matrix Market coordinate text. */
#ifndef SPTRSV_MATRIX_H
#define SPTRSV_MATRIX_H

#include "../common/program.h"

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

/* `%%MatrixMarket matrix coordinate real symmetric`: the lower triangle, with all of the diagonal.
 */
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

#endif
