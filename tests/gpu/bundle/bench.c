/*
 * Stochastic gradient descent on generated ratings of the shape of Netflix's: 480,189 users, 17,770
 * items, 100 million ratings, with four factors planted and noise. How many ratings a row has falls
 * with its rank x in [0, 1) as exp(-a x^b), where a and b are fitted to what is known of Netflix's:
 * the most (17,653 of a user, 232,944 of an item), median (96, 561) and mean (209, 5,654). Steps,
 * regularization and the rows' beginnings are those of cumf_sgd.
 * usage: bench RANK RATINGS PASSES [COPY_GB_PER_S [FILE]]   RATINGS: `u` behind it makes all rows
 *                                                           alike; FILE: gets them for cumf_sgd
 *        bench score RATINGS MODEL                          how well a model that it left fits them
 */
#include "generate.h"

#include <string.h>

struct rating {
    int user, item;
    float value;
};

/* Rows by their share of the ratings: number q of QUANTILES of them. */
enum { QUANTILES = 1 << 22 };

struct shape {
    long count;
    int users, items;
    int *user, *item;
};

static int *quantiles_of(int rows, double a, double b) {
    int *row = make(QUANTILES, sizeof *row), r = 0;
    double total = 0, sum = 0;
    for (int i = 0; i < rows; ++i)
        total += exp(-a * pow((i + .5) / rows, b));
    for (int q = 0; q < QUANTILES; ++q) {
        while (r + 1 < rows && sum < (q + .5) / QUANTILES * total)
            sum += exp(-a * pow((r++ + .5) / rows, b));
        row[q] = (int)((long)r * 7919 % rows);
    }
    return row;
}

static struct shape shape_of(const char *ratings) {
    struct shape shape = {.count = atol(ratings), .users = 480189, .items = 17770};
    int alike = strchr(ratings, 'u') != NULL;
    if (shape.count < 1000000)
        shape.users = 2000, shape.items = 400;
    shape.user = quantiles_of(shape.users, alike ? 0 : 6.5, .185);
    shape.item = quantiles_of(shape.items, alike ? 0 : 8.3376, .45);
    return shape;
}

static int drawn(const int *quantiles, uint64_t n) {
    return quantiles[mix(n + 0x9e3779b97f4a7c15u) % QUANTILES];
}

static double planted(int row, int factor, uint64_t which) {
    return uniform(((uint64_t)row * 4 + (uint64_t)factor) * 2 + which) - .5;
}

static struct rating rating_of(const struct shape *shape, long n) {
    uint64_t seed = (uint64_t)n * 3;
    struct rating r = {drawn(shape->user, seed), drawn(shape->item, seed + 1), 0};
    double value = 3 + uniform(seed + 2) - .5;
    for (int f = 0; f < 4; ++f)
        value += 6.5 * planted(r.user, f, 0) * planted(r.item, f, 1);
    r.value = (float)value;
    return r;
}

/* Over a million of the ratings. */
static double rmse_of(const struct shape *shape, const float *W, const float *H, int K,
                      double scale) {
    long step = shape->count / 1000000 + 1, seen = 0;
    double sum = 0;
    for (long n = 0; n < shape->count; n += step, ++seen) {
        struct rating r = rating_of(shape, n);
        double e = r.value;
        for (int k = 0; k < K; ++k)
            e -= scale * W[(size_t)r.user * (size_t)K + (size_t)k] *
                 H[(size_t)r.item * (size_t)K + (size_t)k];
        sum += e * e;
    }
    return sqrt(sum / (double)seen);
}

static float *rows_make(long rows, int K, uint64_t seed) {
    float *all = make((size_t)rows * (size_t)K, sizeof *all);
    for (long i = 0; i < rows * K; ++i)
        all[i] = (float)(uniform((uint64_t)i * 5 + seed) / sqrt(K));
    return all;
}

static int ratings_write(const struct rating *r, long count, const char *path) {
    FILE *out = fopen(path, "wb");
    int bad = !out || fwrite(r, sizeof *r, (size_t)count, out) != (size_t)count;
    return (out && fclose(out)) || bad;
}

/* What cumf_sgd's save_model writes: a number, rows, columns, rank, a mean; then both factors. */
static int score(const struct shape *shape, const char *path) {
    int head[4];
    float mean;
    FILE *in = fopen(path, "rb");
    if (!in || fread(head, sizeof *head, 4, in) != 4 || fread(&mean, sizeof mean, 1, in) != 1 ||
        head[3] < 1 || head[1] > shape->users || head[2] > shape->items) {
        fprintf(stderr, "%s is no model of these ratings\n", path);
        return 2;
    }
    size_t K = (size_t)head[3], p = (size_t)head[1] * K, q = (size_t)head[2] * K;
    float *W = make((size_t)shape->users * K, sizeof *W);
    float *H = make((size_t)shape->items * K, sizeof *H);
    if (fread(W, sizeof *W, p, in) != p || fread(H, sizeof *H, q, in) != q) {
        fprintf(stderr, "%s ends early\n", path);
        return 2;
    }
    printf("rmse %.4f\n", rmse_of(shape, W, H, head[3], 1));
    return 0;
}

int main(int argc, char **argv) {
    int K = argc > 1 ? atoi(argv[1]) : 32, passes = argc > 3 ? atoi(argv[3]) : 3;
    struct shape shape = shape_of(argc > 2 ? argv[2] : "1000000");
    long count = shape.count;
    double copy = argc > 4 ? atof(argv[4]) : 0, best = INFINITY, mean = 0, square = 0;
    if (argc == 4 && strcmp(argv[1], "score") == 0)
        return score(&shape, argv[3]);
    struct rating *r = make((size_t)count, sizeof *r);
    if (K < 1 || count < 1)
        return 2;
    for (long n = 0; n < count; ++n) {
        r[n] = rating_of(&shape, n);
        mean += r[n].value / (double)count;
        square += (double)r[n].value * r[n].value / (double)count;
    }
    if (argc > 5 && ratings_write(r, count, argv[5]))
        return 2;
    float deviation = (float)sqrt(square - mean * mean), lambda = .05f;
    for (long n = 0; n < count; ++n)
        r[n].value /= deviation;
    float *W = rows_make(shape.users, K, 0), *H = rows_make(shape.items, K, 1);
    for (int pass = 0; pass < passes; ++pass) {
        float rate = (float)(.08 / (1 + .3 * pow(pass, 1.5)));
        double loss = 0, start = now();
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
            }
        }
        double seconds = now() - start;
        best = seconds < best ? seconds : best;
        printf("rank %d pass %d rmse %.4f seconds %.4f\n", K, pass + 1,
               deviation * sqrt(loss / (double)count), seconds);
    }
    /* Both rows are read and written once per rating, the record is read. */
    double bytes = (double)count * (16.0 * K + 12);
    char name[96];
    snprintf(name, sizeof name, "mf rank %d ratings %ld rmse %.4f after %d passes", K, count,
             rmse_of(&shape, W, H, K, deviation), passes);
    report(name, "updates", (double)count, best, bytes, copy);
    free(r), free(W), free(H), free(shape.user), free(shape.item);
    return 0;
}
