/*
 * UMAP (McInnes, Healy, Melville 2018): a picture of the rows of a table in which near rows stay
 * near. Every row's nearest others become weighted edges (the fuzzy simplicial set); stochastic
 * gradient descent draws the ends of sampled edges together and pushes sampled points away.
 *
 * Build: cc -O3 umap.c -o umap -lorrery-load -lm   or   orrery-cc -O3 umap.c -o umap -lm
 */
#include "../common/data.h"

#include <float.h>

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { DIM = 2, NEGATIVES = 5 };

/* Of the curve 1 / (1 + a d^2b) that fits min_dist = 0.1. */
static const float A = 1.577f, B = .895f;

struct edge {
    int head, tail;
    float weight;
};

struct settings {
    int rows, neighbours, epochs, repeat, seed, quiet;
    double rate;
    const char *output, *picture;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rows", OPTION_INT, AT(rows), 3, 1e6, "use the table's first rows only (3000)"},
    {"--neighbours", OPTION_INT, AT(neighbours), 2, 200, "edges of a row (15)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over sampled edges (200)"},
    {"--repeat", OPTION_INT, AT(repeat), 1, 1000, "passes between draws of edges and points (2)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e3, "first learning rate, which falls to 0 (1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of the samples (1)"},
    {"--picture", OPTION_TEXT, AT(picture), 0, 0, "write the layout as an SVG file"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.layout.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- nearest neighbours ---- */

static float squared_distance(const float *a, const float *b, int D) {
    float sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* The k rows nearest to row i, nearest first, and how far they are. */
static void nearest(const float *x, long rows, int D, long i, int k, int *near, float *far) {
    int n = 0;
    for (long j = 0; j < rows; ++j) {
        float d = squared_distance(x + i * D, x + j * D, D);
        int at;
        if (j == i || (n == k && d >= far[k - 1]))
            continue;
        for (at = n < k ? n : k - 1; at > 0 && far[at - 1] > d; --at) {
            far[at] = far[at - 1];
            near[at] = near[at - 1];
        }
        far[at] = d;
        near[at] = (int)j;
        n += n < k;
    }
}

/* ---- the fuzzy simplicial set ---- */

/* How strongly a row is tied to its neighbours: the ties sum to log2(k). */
static void ties(const float *far, int k, float *tie) {
    double low = 0, high = DBL_MAX, sigma = 1, nearest = sqrt(far[0]);
    for (int step = 0; step < 64; ++step) {
        double sum = 0;
        for (int n = 0; n < k; ++n)
            sum += tie[n] = (float)exp(-fmax(0, sqrt(far[n]) - nearest) / sigma);
        if (sum > log2(k))
            high = sigma;
        else
            low = sigma;
        sigma = high < DBL_MAX ? (low + high) / 2 : sigma * 2;
    }
}

static float tie_of(const int *near, const float *tie, int k, long i, int j) {
    for (int n = 0; n < k; ++n)
        if (near[i * k + n] == j)
            return tie[i * k + n];
    return 0;
}

/* An edge where either row is tied to the other: a + b - ab. */
static long edges_make(const int *near, const float *tie, long rows, int k, struct edge *edge) {
    long count = 0;
    for (long i = 0; i < rows; ++i)
        for (int n = 0; n < k; ++n) {
            int j = near[i * k + n];
            float a = tie[i * k + n], b = tie_of(near, tie, k, j, (int)i);
            if (b == 0 || i < j)
                edge[count++] = (struct edge){(int)i, j, a + b - a * b};
        }
    return count;
}

/* Edges in proportion to their weights, in a random order; returns how many. */
static long sample(const struct edge *edge, long count, uint64_t seed, struct edge *drawn) {
    long n = 0;
    for (long e = 0; e < count; ++e)
        if (uniform(seed, (uint64_t)e) < edge[e].weight)
            drawn[n++] = edge[e];
    for (long i = n - 1; i > 0; --i) {
        long other = (long)(hash(seed + 1, (uint64_t)i) % (uint64_t)(i + 1));
        struct edge one = drawn[i];
        drawn[i] = drawn[other];
        drawn[other] = one;
    }
    return n;
}

/* ---- the layout ---- */

static float clip(float v) {
    return v > 4 ? 4 : v < -4 ? -4 : v;
}

/* One pass over sampled edges; returns how far apart their ends were, squared, on average. The
 * points to push away are drawn anew for every `round`. */
static double pass(float (*y)[DIM], unsigned long points, const struct edge *edge, long count,
                   unsigned long round, float rate) {
    double apart = 0;
#pragma orrery parallel unordered
    for (long e = 0; e < count; ++e) {
        float *u = y[edge[e].head], *v = y[edge[e].tail], d2 = 0;
        for (int k = 0; k < DIM; ++k)
            d2 += (u[k] - v[k]) * (u[k] - v[k]);
        apart += d2;
        if (d2 > 0) {
            float g = -2 * A * B * powf(d2, B - 1) / (A * powf(d2, B) + 1);
            for (int k = 0; k < DIM; ++k) {
                float move = rate * clip(g * (u[k] - v[k]));
                u[k] += move;
                v[k] -= move;
            }
        }
        for (int s = 0; s < NEGATIVES; ++s) {
            float *w =
                y[orrery_random(round, (unsigned long)e * NEGATIVES + (unsigned long)s) % points];
            float r2 = 0;
            for (int k = 0; k < DIM; ++k)
                r2 += (u[k] - w[k]) * (u[k] - w[k]);
            if (r2 > 0) {
                float g = 2 * B / ((.001f + r2) * (A * powf(r2, B) + 1));
                for (int k = 0; k < DIM; ++k)
                    u[k] += rate * clip(g * (u[k] - w[k]));
            }
        }
    }
    return count ? apart / (double)count : 0;
}

/* Of each row's neighbours in the table, the share that is not among its nearest in the layout. */
static double lost(const int *near, float (*y)[DIM], long rows, int k) {
    int *here = make(NULL, (size_t)k, sizeof *here);
    float *far = make(NULL, (size_t)k, sizeof *far);
    long found = 0;
    for (long i = 0; i < rows; ++i) {
        nearest(y[0], rows, DIM, i, k, here, far);
        for (int n = 0; n < k; ++n)
            for (int m = 0; m < k; ++m)
                found += near[i * k + n] == here[m];
    }
    free(here);
    free(far);
    return 1 - (double)found / (double)(rows * k);
}

static void layout(const struct settings *settings, const struct edge *edge, long count,
                   const int *near, float (*y)[DIM], long rows) {
    struct edge *drawn = make(NULL, (size_t)count, sizeof *drawn);
    struct report report = {
        .quiet = settings->quiet, .train = NAN, .held_out = NAN, .names = {"apart", "lost"}};
    long n = 0;
    for (int epoch = 0; epoch < settings->epochs; ++epoch) {
        unsigned long round = (unsigned long)(settings->seed * 1000 + epoch / settings->repeat);
        if (epoch % settings->repeat == 0)
            n = sample(edge, count, round * 2, drawn);
        float rate = (float)(settings->rate * (1 - epoch / (double)settings->epochs));
        double start = clock_seconds();
        double apart = pass(y, (unsigned long)rows, drawn, n, round, rate);
        double seconds = clock_seconds() - start;
        int last = epoch + 1 == settings->epochs;
        report_pass(&report, apart, last ? lost(near, y, rows, settings->neighbours) : NAN,
                    seconds);
    }
    report_end(&report);
    free(drawn);
}

/* ---- the picture ---- */

static void picture(const char *path, float (*y)[DIM], const int *label, long rows) {
    static const char *const colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44",
                                          "#66ccee", "#aa3377", "#bbbbbb", "#222222"};
    float low[DIM] = {FLT_MAX, FLT_MAX}, high[DIM] = {-FLT_MAX, -FLT_MAX};
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "%s: error: cannot be written\n", path);
        exit(1);
    }
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < DIM; ++k) {
            low[k] = fminf(low[k], y[i][k]);
            high[k] = fmaxf(high[k], y[i][k]);
        }
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 800\">\n");
    for (long i = 0; i < rows; ++i)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"%s\"/>\n",
                10 + 780 * (y[i][0] - low[0]) / (high[0] - low[0]),
                10 + 780 * (y[i][1] - low[1]) / (high[1] - low[1]), colours[label[i] & 7]);
    fprintf(out, "</svg>\n");
    fclose(out);
}

/* ---- the table: numbers, and a label in the last column ---- */

/* Each column gets mean 0 and deviation 1; constant ones get 0. */
static float *read_rows(const char *path, long *rows, int *columns, int *label) {
    struct orrery_table t;
    loaded(orrery_load_table(path, &t));
    if (t.rows < 3 || t.columns < 3)
        data_empty(path, "rows of at least two numbers and a label");
    *rows = t.rows < *rows ? t.rows : *rows;
    *columns = t.columns - 1;
    float *x = make(NULL, (size_t)(*rows * *columns), sizeof *x);
    for (int j = 0; j < *columns; ++j) {
        double sum = 0, squares = 0;
        for (long i = 0; i < *rows; ++i) {
            double v = t.value[i * t.columns + j];
            sum += v;
            squares += v * v;
        }
        double mean = sum / (double)*rows, deviation = squares / (double)*rows - mean * mean;
        for (long i = 0; i < *rows; ++i)
            x[i * *columns + j] =
                deviation > 0 ? (float)((t.value[i * t.columns + j] - mean) / sqrt(deviation)) : 0;
    }
    for (long i = 0; i < *rows; ++i)
        label[i] = (int)t.value[i * t.columns + *columns];
    free(t.value);
    return x;
}

/* Two random sums of the columns. */
static void begin(const float *x, long rows, int D, uint64_t seed, float (*y)[DIM]) {
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < DIM; ++k) {
            y[i][k] = 0;
            for (int j = 0; j < D; ++j)
                y[i][k] += x[i * D + j] * (float)(uniform(seed, (uint64_t)(j * DIM + k)) - .5);
        }
}

int main(int argc, char **argv) {
    struct settings settings = {
        .rows = 3000, .neighbours = 15, .epochs = 200, .repeat = 2, .seed = 1, .rate = 1};
    const char *path = options_parse(argc, argv, "umap [options] TABLE",
                                     sizeof table / sizeof *table, table, &settings);
    long rows = settings.rows;
    int columns, k = settings.neighbours, *label = make(NULL, (size_t)rows, sizeof *label);
    if (!path) {
        fprintf(stderr, "usage: umap [options] TABLE\n");
        return 2;
    }
    float *x = read_rows(path, &rows, &columns, label);
    if (k >= rows)
        data_empty(path, "rows enough for so many neighbours");
    size_t n = (size_t)(rows * k);
    int *near = make(NULL, n, sizeof *near);
    float *far = make(NULL, n, sizeof *far), *tie = make(NULL, n, sizeof *tie);
    float(*y)[DIM] = make(NULL, (size_t)rows, sizeof *y);
    struct edge *edge = make(NULL, n, sizeof *edge);
    for (long i = 0; i < rows; ++i) {
        nearest(x, rows, columns, i, k, near + i * k, far + i * k);
        ties(far + i * k, k, tie + i * k);
    }
    long count = edges_make(near, tie, rows, k, edge);
    if (!settings.quiet)
        printf("%ld rows, %d columns, %ld edges\n", rows, columns, count);
    begin(x, rows, columns, (uint64_t)settings.seed, y);
    layout(&settings, edge, count, near, y, rows);
    if (settings.picture)
        picture(settings.picture, y, label, rows);
    if (settings.output) {
        struct orrery_model_array array = model_array("layout", ORRERY_NPY_FLOAT, y, rows, DIM);
        model_save(settings.output, 1, &array);
    }
    free(x);
    free(near);
    free(far);
    free(tie);
    free(y);
    free(edge);
    free(label);
    return 0;
}
