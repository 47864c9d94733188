/*
 * Lloyd's k-means over the rows of a file of numbers (comma separated, one row per line).
 *
 * Build: cc -O3 kmeans.c -o kmeans -lm     or     orrery-cc -O3 kmeans.c -o kmeans -lm
 */
#include "table.h"

#include <time.h>

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct options {
    const char *file, *output;
    long clusters, iterations, seed;
    int label, raw, quiet;
};

static void usage(FILE *stream) {
    fputs("usage: kmeans [options] FILE.csv\n"
          "  --clusters K     number of clusters (16)\n"
          "  --iterations N   at most so many rounds (20)\n"
          "  --seed S         of the first centroids (1)\n"
          "  --label          the last column is a label: leave it out\n"
          "  --raw            do not scale the columns to mean 0, deviation 1\n"
          "  --output FILE    write the centroids, then each row's cluster (text)\n"
          "  --quiet          print the last line only\n",
          stream);
}

static long parse_number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || value < least || value > most) {
        fprintf(stderr, "error: %s %s: expected a whole number from %ld to %ld\n", option,
                text ? text : "", least, most);
        exit(2);
    }
    return value;
}

static struct options parse_options(int argc, char **argv) {
    struct options o = {.clusters = 16, .iterations = 20, .seed = 1};
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(arg, "--clusters") == 0) {
            o.clusters = parse_number(arg, next, 1, 100000), ++i;
        } else if (strcmp(arg, "--iterations") == 0) {
            o.iterations = parse_number(arg, next, 0, 1000000), ++i;
        } else if (strcmp(arg, "--seed") == 0) {
            o.seed = parse_number(arg, next, 0, LONG_MAX), ++i;
        } else if (strcmp(arg, "--output") == 0 && next) {
            o.output = next, ++i;
        } else if (strcmp(arg, "--label") == 0) {
            o.label = 1;
        } else if (strcmp(arg, "--raw") == 0) {
            o.raw = 1;
        } else if (strcmp(arg, "--quiet") == 0) {
            o.quiet = 1;
        } else if (strcmp(arg, "--help") == 0) {
            usage(stdout);
            exit(0);
        } else if (arg[0] != '-' && !o.file) {
            o.file = arg;
        } else {
            fprintf(stderr, "error: unexpected `%s`\n", arg);
            usage(stderr);
            exit(2);
        }
    }
    if (!o.file) {
        usage(stderr);
        exit(2);
    }
    return o;
}

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static float squared_distance(const float *a, const float *b, int D) {
    float sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* The row at which the running sum of `weight` passes `target`. */
static long pick(const double *weight, long rows, double target) {
    long last = 0;
    for (long i = 0; i < rows; ++i) {
        if (weight[i] > 0)
            last = i;
        target -= weight[i];
        if (target < 0)
            return i;
    }
    return last;
}

/* First centroids as k-means++ draws them (Arthur and Vassilvitskii, SODA 2007). */
static void seed_centroids(const struct table *t, long K, uint64_t seed, float *centroid) {
    int D = t->columns;
    double *nearest = table_alloc(NULL, (size_t)t->rows, sizeof *nearest);
    double total = (double)t->rows;
    for (long i = 0; i < t->rows; ++i)
        nearest[i] = 1;
    for (long c = 0; c < K; ++c) {
        long row = pick(nearest, t->rows, table_random(seed, (uint64_t)c) * total);
        memcpy(centroid + c * D, t->x + row * D, (size_t)D * sizeof *centroid);
        total = 0;
        for (long i = 0; i < t->rows; ++i) {
            double d = squared_distance(t->x + i * D, centroid + c * D, D);
            if (c == 0 || d < nearest[i])
                nearest[i] = d;
            total += nearest[i];
        }
    }
    free(nearest);
}

/* Each centroid becomes the mean of its rows; one without rows stays where it was. */
static void move_centroids(long K, int D, const long *count, const double *sum, float *centroid) {
    for (long c = 0; c < K; ++c)
        for (int j = 0; j < D && count[c]; ++j)
            centroid[c * D + j] = (float)(sum[c * D + j] / (double)count[c]);
}

/* Rounds until no row changes its cluster. Returns the last inertia. */
static double cluster(const struct options *o, const struct table *t, float *centroid,
                      int *assign) {
    const float *x = t->x;
    long rows = t->rows, K = o->clusters;
    int D = t->columns;
    long *count = table_alloc(NULL, (size_t)K, sizeof *count);
    double *sum = table_alloc(NULL, (size_t)K * (size_t)D, sizeof *sum);
    double inertia = 0, total = 0;
    long moved = 1, round = 0;

    for (; round < o->iterations && moved; ++round) {
        double start = now();
        memset(count, 0, (size_t)K * sizeof *count);
        memset(sum, 0, (size_t)(K * D) * sizeof *sum);
        inertia = 0;
        moved = 0;
#pragma orrery parallel unordered
        for (long i = 0; i < rows; ++i) {
            int best = 0;
            float least = INFINITY;
            for (int c = 0; c < K; ++c) {
                float d = squared_distance(x + i * D, centroid + (long)c * D, D);
                if (d < least) {
                    least = d;
                    best = c;
                }
            }
            moved += assign[i] != best;
            assign[i] = best;
            count[best]++;
            for (int j = 0; j < D; ++j)
                sum[best * D + j] += x[i * D + j];
            inertia += least;
        }
        double seconds = now() - start;
        total += seconds;
        if (!o->quiet)
            printf("round %3ld  inertia %.6e  moved %ld  %.4f s\n", round + 1, inertia, moved,
                   seconds);
        move_centroids(K, D, count, sum, centroid);
    }
    printf("%ld rounds in %.4f s, %.6f s per round, inertia %.6e\n", round, total,
           round ? total / (double)round : 0, inertia);
    free(count);
    free(sum);
    return inertia;
}

/* One line `K D rows`, K lines of centroids, one line per row with its cluster. */
static void save(const char *path, const struct table *t, long K, const float *centroid,
                 const int *assign) {
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "%s: error: cannot write: %s\n", path, strerror(errno));
        exit(1);
    }
    fprintf(file, "%ld %d %ld\n", K, t->columns, t->rows);
    for (long c = 0; c < K; ++c)
        for (int j = 0; j < t->columns; ++j)
            fprintf(file, "%.9g%c", centroid[c * t->columns + j], j + 1 < t->columns ? ' ' : '\n');
    for (long i = 0; i < t->rows; ++i)
        fprintf(file, "%d\n", assign[i]);
    int failed = ferror(file);
    if (fclose(file) || failed) {
        fprintf(stderr, "%s: error: the result could not be written whole\n", path);
        exit(1);
    }
}

int main(int argc, char **argv) {
    struct options o = parse_options(argc, argv);
    struct table t = table_read(o.file);
    if (o.label)
        table_drop_last(&t);
    if (!o.raw)
        table_scale(&t);
    if (o.clusters > t.rows) {
        fprintf(stderr, "%s: error: %ld clusters, but only %ld rows\n", o.file, o.clusters, t.rows);
        return 1;
    }
    if (!o.quiet)
        printf("%ld rows, %d columns, %ld clusters\n", t.rows, t.columns, o.clusters);

    float *centroid = table_alloc(NULL, (size_t)o.clusters * (size_t)t.columns, sizeof *centroid);
    int *assign = table_alloc(NULL, (size_t)t.rows, sizeof *assign);
    for (long i = 0; i < t.rows; ++i)
        assign[i] = -1;
    seed_centroids(&t, o.clusters, (uint64_t)o.seed, centroid);
    cluster(&o, &t, centroid, assign);
    if (o.output)
        save(o.output, &t, o.clusters, centroid, assign);
    free(centroid);
    free(assign);
    free(t.x);
    return 0;
}
