/*
 * Poisson's equation on a square plate, solved by successive over-relaxation: sweeps over the grid
 * that use every new value at once (Gauss-Seidel with a factor).
 *
 * Build: cc -O3 gauss_seidel.c -o gauss_seidel -lm     or     orrery-cc -O3 ...
 */
#include "../common/program.h"

/* Without Orrery the pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct settings {
    const char *output;
    int grid, sweeps, every, nine, quiet;
    double factor, tolerance;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--grid", OPTION_INT, AT(grid), 3, 20000, "N x N points, the border among them (1000)"},
    {"--sweeps", OPTION_INT, AT(sweeps), 1, 1e9, "at most so many sweeps (200)"},
    {"--factor", OPTION_REAL, AT(factor), 0, 2, "over-relaxation; 1 is plain Gauss-Seidel (1.9)"},
    {"--nine", OPTION_FLAG, AT(nine), 0, 1, "the stencil of nine points instead of five"},
    {"--every", OPTION_INT, AT(every), 1, 1e9, "look at the residual after so many sweeps (20)"},
    {"--tolerance", OPTION_REAL, AT(tolerance), 0, 1, "until the residual has shrunk so (1e-6)"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "file to write the solution to (native doubles)"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* Row i needs the new row i - 1 and the old row i + 1; point j the new j - 1 and the old j + 1. */
static void sweep(long n, double w, const double *restrict f, double *restrict u) {
#pragma orrery parallel
    for (long i = 1; i < n - 1; ++i)
        for (long j = 1; j < n - 1; ++j) {
            double around =
                u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1];
            u[i * n + j] += w * (.25 * (around + f[i * n + j]) - u[i * n + j]);
        }
}

/* The same with the four points at the corners: point j needs the new point j + 1 of row i - 1. */
static void sweep_nine(long n, double w, const double *restrict f, double *restrict u) {
#pragma orrery parallel
    for (long i = 1; i < n - 1; ++i) {
        double *row = u + i * n, *up = row - n, *down = row + n;
        const double *load = f + i * n;
        for (long j = 1; j < n - 1; ++j) {
            double sides = up[j] + down[j] + row[j - 1] + row[j + 1];
            double corners = up[j - 1] + up[j + 1] + down[j - 1] + down[j + 1];
            row[j] += w * (.2 * sides + .05 * corners + .3 * load[j] - row[j]);
        }
    }
}

/* Row by row, so that the order of the additions is written down. */
static double residual(long n, int nine, const double *restrict f, const double *restrict u,
                       double *restrict part) {
    double sum = 0;
#pragma orrery parallel
    for (long i = 1; i < n - 1; ++i) {
        double s = 0;
        for (long j = 1; j < n - 1; ++j) {
            const double *at = u + i * n + j;
            double sides = at[-n] + at[n] + at[-1] + at[1];
            double corners = at[-n - 1] + at[-n + 1] + at[n - 1] + at[n + 1];
            double r = nine ? .2 * sides + .05 * corners + .3 * f[i * n + j] - at[0]
                            : .25 * (sides + f[i * n + j]) - at[0];
            s += r * r;
        }
        part[i] = s;
    }
    for (long i = 1; i < n - 1; ++i)
        sum += part[i];
    return sqrt(sum);
}

static double *plate(long n) {
    return memset(make(NULL, (size_t)(n * n), sizeof(double)), 0, (size_t)(n * n) * sizeof(double));
}

/* A cold plate with one hot edge, heated in two spots. */
static void start(long n, double *f, double *u) {
    double h = 1.0 / (double)(n - 1);
    for (long j = 0; j < n; ++j)
        u[j] = 1;
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j) {
            double x = (double)j * h, y = (double)i * h;
            int hot = fabs(x - .3) + fabs(y - .6) < .1 || fabs(x - .7) + fabs(y - .4) < .05;
            f[i * n + j] = hot ? 100 * h * h : 0;
        }
}

static void save(const char *path, long n, const double *u) {
    FILE *file = model_open(path);
    fwrite(u, sizeof *u, (size_t)(n * n), file);
    model_close(path, file);
}

int main(int argc, char **argv) {
    struct settings o = {
        .grid = 1000, .sweeps = 200, .every = 20, .factor = 1.9, .tolerance = 1e-6};
    if (options_parse(argc, argv, "gauss_seidel [options]", sizeof table / sizeof *table, table,
                      &o)) {
        fprintf(stderr, "error: no file is read (--help lists the options)\n");
        return 2;
    }
    long n = o.grid, done = 0;
    double *f = plate(n), *u = plate(n), *part = plate(n), seconds = 0;
    start(n, f, u);
    double first = residual(n, o.nine, f, u, part), norm = first;
    while (done < o.sweeps && norm > o.tolerance * first) {
        double from = clock_seconds();
        for (long k = 0; k < o.every && done < o.sweeps; ++k, ++done) {
            if (o.nine)
                sweep_nine(n, o.factor, f, u);
            else
                sweep(n, o.factor, f, u);
        }
        seconds += clock_seconds() - from;
        norm = residual(n, o.nine, f, u, part);
        if (!o.quiet)
            printf("sweep %5ld  residual %.3e\n", done, norm / first);
    }
    printf("%ld x %ld points, %ld sweeps, %.6f s, residual %.3e, middle %.6f\n", n, n, done,
           seconds, norm / first, u[n / 2 * n + n / 2]);
    if (o.output)
        save(o.output, n, u);
    free(f), free(u), free(part);
    return 0;
}
