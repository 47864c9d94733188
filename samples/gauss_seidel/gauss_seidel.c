/*
 * Poisson's equation on a square plate, solved by successive over-relaxation: sweeps over the grid
 * that use every new value at once (Gauss-Seidel with a factor).
 *
 * Build: cc -O3 gauss_seidel.c -o gauss_seidel -lm     or     orrery-cc -O3 ...
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Without Orrery the pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct options {
    const char *output;
    long grid, sweeps, every;
    double factor, tolerance;
    int nine, quiet;
};

static void usage(FILE *stream) {
    fputs("usage: gauss_seidel [options]\n"
          "  --grid N         N x N points, the border among them (1000)\n"
          "  --sweeps N       at most so many sweeps (200)\n"
          "  --factor W       over-relaxation, from 0 to 2; 1 is plain Gauss-Seidel (1.9)\n"
          "  --nine           the stencil of nine points instead of five\n"
          "  --every N        look at the residual after so many sweeps (20)\n"
          "  --tolerance T    until the residual has shrunk by this factor (1e-6)\n"
          "  --output FILE    write the solution (native doubles)\n"
          "  --quiet          print the last line only\n",
          stream);
}

static double parse_number(const char *option, const char *text, double least, double most) {
    char *end;
    errno = 0;
    double value = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || errno || !(value >= least && value <= most)) {
        fprintf(stderr, "error: %s %s: expected a number from %g to %g\n", option, text ? text : "",
                least, most);
        exit(2);
    }
    return value;
}

static struct options parse_options(int argc, char **argv) {
    struct options o = {.grid = 1000, .sweeps = 200, .every = 20, .factor = 1.9, .tolerance = 1e-6};
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(arg, "--grid") == 0) {
            o.grid = (long)parse_number(arg, next, 3, 20000), ++i;
        } else if (strcmp(arg, "--sweeps") == 0) {
            o.sweeps = (long)parse_number(arg, next, 1, 1e9), ++i;
        } else if (strcmp(arg, "--every") == 0) {
            o.every = (long)parse_number(arg, next, 1, 1e9), ++i;
        } else if (strcmp(arg, "--factor") == 0) {
            o.factor = parse_number(arg, next, 0, 2), ++i;
        } else if (strcmp(arg, "--tolerance") == 0) {
            o.tolerance = parse_number(arg, next, 0, 1), ++i;
        } else if (strcmp(arg, "--output") == 0 && next) {
            o.output = next, ++i;
        } else if (strcmp(arg, "--nine") == 0) {
            o.nine = 1;
        } else if (strcmp(arg, "--quiet") == 0) {
            o.quiet = 1;
        } else if (strcmp(arg, "--help") == 0) {
            usage(stdout);
            exit(0);
        } else {
            fprintf(stderr, "error: unexpected `%s`\n", arg);
            usage(stderr);
            exit(2);
        }
    }
    return o;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    double *u = calloc((size_t)(n * n), sizeof *u);
    if (!u) {
        fprintf(stderr, "error: no memory for %ld x %ld points\n", n, n);
        exit(1);
    }
    return u;
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
    FILE *file = fopen(path, "wb");
    size_t points = (size_t)(n * n), written = file ? fwrite(u, sizeof *u, points, file) : 0;
    if (!file || written != points || fclose(file) != 0) {
        fprintf(stderr, "%s: error: cannot write: %s\n", path, strerror(errno));
        exit(1);
    }
}

int main(int argc, char **argv) {
    struct options o = parse_options(argc, argv);
    long n = o.grid, done = 0;
    double *f = plate(n), *u = plate(n), *part = plate(n), seconds = 0;
    start(n, f, u);
    double first = residual(n, o.nine, f, u, part), norm = first;
    while (done < o.sweeps && norm > o.tolerance * first) {
        double from = now();
        for (long k = 0; k < o.every && done < o.sweeps; ++k, ++done) {
            if (o.nine)
                sweep_nine(n, o.factor, f, u);
            else
                sweep(n, o.factor, f, u);
        }
        seconds += now() - from;
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
