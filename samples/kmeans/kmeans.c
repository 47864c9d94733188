/*
 * Lloyd's k-means over the rows of a file of numbers (one row per line).
 *
 * Build: cc -O3 kmeans.c -o kmeans -lorrery-load -lm   or   orrery-cc -O3 kmeans.c -o kmeans -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct settings {
    int clusters, iterations, seed, label, raw, quiet;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--clusters", OPTION_INT, AT(clusters), 1, 1e5, "number of clusters (16)"},
    {"--iterations", OPTION_INT, AT(iterations), 0, 1e6, "at most so many rounds (20)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of the first centroids (1)"},
    {"--label", OPTION_FLAG, AT(label), 0, 1, "the last column is a label: leave it out"},
    {"--raw", OPTION_FLAG, AT(raw), 0, 1, "do not scale the columns to mean 0, deviation 1"},
    {"--output", OPTION_TEXT, AT(output), 0, 0,
     "PATH.h5, or PATH: PATH.centroid.npy, PATH.cluster.npy (of each row)"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the rows ---- */

/* Leaves out the last column. */
static void drop_last(struct orrery_table *t) {
    if (t->columns == 1) {
        fprintf(stderr, "error: --label leaves no column\n");
        exit(1);
    }
    for (long i = 0; i < t->rows; ++i)
        memmove(t->value + i * (t->columns - 1), t->value + i * t->columns,
                (size_t)(t->columns - 1) * sizeof *t->value);
    --t->columns;
}

/* Each column gets mean 0 and deviation 1; constant ones get 0. */
static void scale(struct orrery_table *t) {
    for (int j = 0; j < t->columns; ++j) {
        double sum = 0, squares = 0;
        for (long i = 0; i < t->rows; ++i)
            sum += t->value[i * t->columns + j];
        double mean = sum / (double)t->rows;
        for (long i = 0; i < t->rows; ++i) {
            double apart = t->value[i * t->columns + j] - mean;
            squares += apart * apart;
        }
        double deviation = sqrt(squares / (double)t->rows);
        for (long i = 0; i < t->rows; ++i) {
            float *x = &t->value[i * t->columns + j];
            *x = deviation > 0 ? (float)((*x - mean) / deviation) : 0;
        }
    }
}

static struct orrery_table read_rows(const char *path, const struct settings *o) {
    struct orrery_table t;
    loaded(orrery_load_table(path, &t));
    if (t.rows == 0)
        data_empty(path, "rows");
    if (o->label)
        drop_last(&t);
    if (!o->raw)
        scale(&t);
    if (o->clusters > t.rows) {
        fprintf(stderr, "%s: error: %d clusters, but only %ld rows\n", path, o->clusters, t.rows);
        exit(1);
    }
    return t;
}

/* ---- clusters ---- */

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

/* Each row's squared distance to the nearest centroid
 * when row `at` becomes one; returns the sum. */
static double nearer(const struct orrery_table *t, long at, const double *before, double *after) {
    int D = t->columns;
    double sum = 0;
    for (long i = 0; i < t->rows; ++i) {
        double d = squared_distance(t->value + i * D, t->value + at * D, D);
        after[i] = d < before[i] ? d : before[i];
        sum += after[i];
    }
    return sum;
}

static void swap(double **a, double **b) {
    double *other = *a;
    *a = *b;
    *b = other;
}

/*
 * First centroids as k-means++ draws them, each the best of 2 + ln K draws (Arthur and
 * Vassilvitskii, SODA 2007, and their remark on several choices).
 */
static void seed_centroids(const struct orrery_table *t, long K, uint64_t seed, float *centroid) {
    int D = t->columns, draws = 2 + (int)log((double)K);
    double *nearest = make(NULL, (size_t)t->rows, sizeof *nearest), total = 0;
    double *drawn = make(NULL, (size_t)t->rows, sizeof *drawn);
    double *best = make(NULL, (size_t)t->rows, sizeof *best);
    for (long i = 0; i < t->rows; ++i)
        nearest[i] = INFINITY;
    for (long c = 0; c < K; ++c) {
        double least = INFINITY;
        long row = 0;
        for (long n = 0; n < draws; ++n) {
            double place = uniform(seed, (uint64_t)(c * draws + n));
            long at = c ? pick(nearest, t->rows, place * total) : (long)(place * (double)t->rows);
            double sum = nearer(t, at, nearest, drawn);
            if (sum < least) {
                least = sum;
                row = at;
                swap(&drawn, &best);
            }
        }
        memcpy(centroid + c * D, t->value + row * D, (size_t)D * sizeof *centroid);
        swap(&nearest, &best);
        total = least;
    }
    free(nearest);
    free(drawn);
    free(best);
}

/* Each centroid becomes the mean of its rows; one without rows stays where it was. */
static void move_centroids(long K, int D, const long *count, const double *sum, float *centroid) {
    for (long c = 0; c < K; ++c)
        for (int j = 0; j < D && count[c]; ++j)
            centroid[c * D + j] = (float)(sum[c * D + j] / (double)count[c]);
}

/* Rounds until no row changes its cluster. Returns the last inertia. */
static double cluster(const struct settings *o, const struct orrery_table *t, float *centroid,
                      int *assign) {
    const float *x = t->value;
    long rows = t->rows, K = o->clusters;
    int D = t->columns;
    long *count = make(NULL, (size_t)K, sizeof *count);
    double *sum = make(NULL, (size_t)K * (size_t)D, sizeof *sum);
    double inertia = 0, total = 0;
    long moved = 1, round = 0;

    for (; round < o->iterations && moved; ++round) {
        double start = clock_seconds();
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
        double seconds = clock_seconds() - start;
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

static void save(const char *path, const struct orrery_table *t, long K, const float *centroid,
                 const int *assign) {
    struct orrery_model_array arrays[] = {
        model_array("centroid", ORRERY_NPY_FLOAT, centroid, K, t->columns),
        model_array("cluster", ORRERY_NPY_INT32, assign, t->rows, 1)};
    model_save(path, 2, arrays);
}

int main(int argc, char **argv) {
    struct settings o = {.clusters = 16, .iterations = 20, .seed = 1};
    const char *path =
        options_parse(argc, argv, "kmeans [options] ROWS", sizeof table / sizeof *table, table, &o);
    if (!path) {
        options_usage(stderr, "kmeans [options] ROWS", sizeof table / sizeof *table, table);
        return 2;
    }
    struct orrery_table t = read_rows(path, &o);
    if (!o.quiet)
        printf("%ld rows, %d columns, %d clusters\n", t.rows, t.columns, o.clusters);

    float *centroid = make(NULL, (size_t)o.clusters * (size_t)t.columns, sizeof *centroid);
    int *assign = make(NULL, (size_t)t.rows, sizeof *assign);
    for (long i = 0; i < t.rows; ++i)
        assign[i] = -1;
    seed_centroids(&t, o.clusters, (uint64_t)o.seed, centroid);
    cluster(&o, &t, centroid, assign);
    if (o.output)
        save(o.output, &t, o.clusters, centroid, assign);
    free(centroid);
    free(assign);
    free(t.value);
    return 0;
}
