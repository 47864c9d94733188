/* Passes of wavefronts over arrays that stay on the devices of several ranks, and what may happen
 * to the arrays between them. waves_stay.sh compiles it for the device that the host plays and as
 * plain C; the output has to be the same. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200, POINTS = N * N };

static double table[N][N];

__attribute__((noinline)) static double sum_of(const double *x, long n) {
    double sum = 0;
    for (long i = 0; i < n; ++i)
        sum = sum * .999 + x[i];
    return sum;
}

static void sweep(long low, long high, const double *restrict f, double *restrict u) {
#pragma orrery parallel
    for (long i = low; i < high; ++i)
        for (long j = 1; j < N - 1; ++j)
            u[i * N + j] = .25 * (u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] +
                                  u[i * N + j + 1] + f[i * N + j]);
}

static void sweep_table(void) {
#pragma orrery parallel
    for (int i = 1; i < N; ++i)
        for (int j = 1; j < N; ++j)
            table[i][j] = .5 * table[i - 1][j - 1] + .25 * table[i - 1][j] +
                          .125 * table[i][j - 1] + table[i][j] / 16;
}

/* Upwards, over the memory of sweep. */
static void other_sweep(double *restrict u) {
#pragma orrery parallel
    for (long i = N - 2; i > 0; --i)
        for (long j = 1; j < N - 1; ++j)
            u[i * N + j] = .5 * u[(i + 1) * N + j] + .5 * u[i * N + j - 1];
}

/* Down the columns of sweep's memory: an iteration's elements are a row apart. */
static void columns(double *restrict u) {
#pragma orrery parallel
    for (long j = 1; j < N - 1; ++j)
        for (long i = 1; i < N - 1; ++i)
            u[i * N + j] =
                .5 * u[i * N + j - 1] + .25 * u[(i - 1) * N + j] + .25 * u[i * N + j + 1];
}

/* Iterations that do not conflict: one reads, one writes. */
static void halve(double *restrict u) {
#pragma orrery parallel
    for (long i = 0; i < N; ++i)
        for (long j = 0; j < N; ++j)
            u[i * N + j] *= .5;
}

static double sum_rows(const double *restrict u) {
    static double sums[N];
#pragma orrery parallel
    for (long i = 0; i < N; ++i) {
        double sum = 0;
        for (long j = 0; j < N; ++j)
            sum += u[i * N + j];
        sums[i] = sum;
    }
    return sum_of(sums, N);
}

static double *shared_array;

static void *reader(void *sum) {
    *(double *)sum = sum_of(shared_array, POINTS);
    return NULL;
}

static void read_by_threads(double *u) {
    pthread_t thread[4];
    double sums[4];
    shared_array = u;
    for (int t = 0; t < 4; ++t)
        pthread_create(&thread[t], NULL, reader, &sums[t]);
    for (int t = 0; t < 4; ++t) {
        pthread_join(thread[t], NULL);
        printf("%.17g\n", sums[t]);
    }
}

static void read_by_child(const double *u) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        printf("child %.17g\n", sum_of(u, POINTS));
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static int is(const char *mode, const char *name) {
    return strcmp(mode, name) == 0;
}

static void serial(const char *mode, int pass, double *u, double *f) {
    static double copy[POINTS];
    if (is(mode, "element"))
        printf("%d %.17g\n", pass, u[POINTS / 2 + pass]);
    if (is(mode, "write"))
        u[POINTS / 2 + 7] = -pass;
    if (is(mode, "edge"))
        u[1] = u[POINTS - 2] = 7 + pass;
    if (is(mode, "both"))
        u[POINTS / 3] += u[POINTS / 4];
    if (is(mode, "other_array"))
        f[POINTS / 2] = 3 * pass;
    if (is(mode, "table"))
        printf("%.17g\n", table[N / 2][N / 2]);
    if (is(mode, "memcpy"))
        printf("%.17g\n", sum_of(memcpy(copy, u, sizeof copy), POINTS));
    if (is(mode, "file")) {
        fflush(stdout);
        fwrite(u, sizeof *u, POINTS, stdout);
    }
    if (is(mode, "kernel")) {
        fflush(stdout);
        (void)!write(1, u, POINTS * sizeof *u);
    }
    if (is(mode, "threads"))
        read_by_threads(u);
    if (is(mode, "fork"))
        read_by_child(u);
}

static double *memory(const char *mode, int pass, double *u) {
    if (is(mode, "realloc"))
        return realloc(u, (size_t)(POINTS + 1000 * (pass + 1)) * sizeof *u);
    if (is(mode, "free")) {
        free(u);
        u = malloc(POINTS * sizeof *u);
        for (long i = 0; i < POINTS; ++i)
            u[i] = (double)(i % 13 + pass);
    }
    return u;
}

static void loops(const char *mode, const double *f, double *u) {
    if (is(mode, "sweep"))
        other_sweep(u);
    if (is(mode, "columns") || is(mode, "columns_element"))
        columns(u);
    if (is(mode, "columns_element"))
        printf("%.17g\n", u[POINTS / 3]);
    if (is(mode, "halve"))
        halve(u);
    if (is(mode, "sum_rows"))
        printf("%.17g\n", sum_rows(u));
    if (is(mode, "bounds"))
        sweep(N / 3, N / 2, f, u);
    if (is(mode, "all")) {
        other_sweep(u);
        columns(u);
        halve(u);
        printf("%.17g\n", sum_rows(u));
        sweep(N / 3, N / 2, f, u);
    }
}

/* One or several of all that there is, in an order that `seed` says. */
static double *mixed(unsigned *seed, int pass, double *f, double *u) {
    static const char *const modes[] = {
        "element",         "write",  "edge",    "both", "other_array", "table", "memcpy",
        "kernel",          "fork",   "realloc", "free", "sweep",       "halve", "columns",
        "columns_element", "bounds", "sum_rows"};
    for (int i = 0; i < 3; ++i) {
        *seed = *seed * 1103515245u + 12345u;
        const char *mode = modes[(*seed >> 16) % (sizeof modes / sizeof *modes)];
        if ((*seed >> 8) % 3 == 0)
            continue;
        loops(mode, f, u);
        serial(mode, pass, u, f);
        u = memory(mode, pass, u);
        if ((*seed >> 9) % 3 == 0)
            sweep(1, N - 1, f, u);
    }
    return u;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "none";
    int passes = argc > 2 ? atoi(argv[2]) : 4;
    unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    double *u = malloc(POINTS * sizeof *u), *f = malloc(POINTS * sizeof *f);
    for (long i = 0; i < POINTS; ++i) {
        u[i] = (double)(i * 31 % 97);
        f[i] = (double)(i % 31) * .125;
        table[i / N][i % N] = (double)(i % 7);
    }
    for (int pass = 0; pass < passes; ++pass) {
        if (!is(mode, "columns_element"))
            sweep(1, N - 1, f, u);
        sweep_table();
        loops(mode, f, u);
        serial(mode, pass, u, f);
        u = is(mode, "mixed") ? mixed(&seed, pass, f, u) : memory(mode, pass, u);
    }
    printf("%.17g %.17g %.17g\n", sum_of(u, POINTS), sum_of(f, POINTS),
           sum_of(&table[0][0], POINTS));
    free(u);
    free(f);
}
