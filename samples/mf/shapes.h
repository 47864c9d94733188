/*
 * What the programs have in common that do the work of mf.c with its arrays in other shapes:
 * options, the data as mf.c arranges them, initial values, the model file.
 */
#ifndef SHAPES_H
#define SHAPES_H

#include "../common/data.h"

struct settings {
    const char *ratings, *test, *output;
    int rank, epochs, seed, plain, adaptive, shuffle, no_eval, quiet;
    double rate, lambda, held_out;
};

/* Ids count from 0. unit: what the values were divided by. */
struct rating {
    int user, item;
    float value;
};

struct ratings {
    struct rating *entry;
    long count;
    int users, items;
    double unit;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rank", OPTION_INT, AT(rank), 1, 4096, "K: numbers per user and item (32)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the ratings (20)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.02, adaptive 0.2)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (0.02)"},
    {"--adaptive", OPTION_FLAG, AT(adaptive), 0, 1, "two AdaGrad rates per row, as in LIBMF"},
    {"--plain", OPTION_FLAG, AT(plain), 0, 1, "one rate for all (the default)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial values and held-out ratings (1)"},
    {"--test", OPTION_TEXT, AT(test), 0, 0, "file of held-out ratings"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction held out without --test (0.1)"},
    {"--shuffle", OPTION_FLAG, AT(shuffle), 0, 1, "put the ratings into a random order first"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out error at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "file to write the model to"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

static inline struct settings settings_parse(int argc, char **argv, const char *usage) {
    struct settings s = {
        .rank = 32, .epochs = 20, .seed = 1, .rate = -1, .lambda = .02, .held_out = .1};
    s.ratings = options_parse(argc, argv, usage, sizeof table / sizeof *table, table, &s);
    if (!s.ratings) {
        options_usage(stderr, usage, sizeof table / sizeof *table, table);
        exit(2);
    }
    s.adaptive = s.adaptive && !s.plain;
    if (s.rate < 0)
        s.rate = s.adaptive ? .2 : .02;
    return s;
}

/* ---- the data ---- */

static inline struct ratings ratings_read(const char *path) {
    struct orrery_ratings in;
    loaded(orrery_load_ratings(path, &in));
    if (in.count == 0)
        data_empty(path, "ratings");
    struct ratings out = {make(NULL, (size_t)in.count, sizeof *out.entry), in.count, in.rows,
                          in.columns, 1};
    for (long n = 0; n < in.count; ++n)
        out.entry[n] = (struct rating){in.entry[n].row, in.entry[n].column, in.entry[n].value};
    free(in.entry);
    return out;
}

/* The ratings of a file of their own, whose ids the model has to know. */
static inline struct ratings ratings_test(const char *path, const struct ratings *data) {
    struct ratings test = ratings_read(path);
    for (long n = 0; n < test.count; ++n)
        if (test.entry[n].user >= data->users || test.entry[n].item >= data->items) {
            fprintf(stderr, "%s: error: user %d, item %d: there are %d and %d\n", path,
                    test.entry[n].user + 1, test.entry[n].item + 1, data->users, data->items);
            exit(1);
        }
    return test;
}

static inline struct ratings ratings_hold_out(struct ratings *data, double fraction,
                                              uint64_t seed) {
    struct ratings held = {.users = data->users, .items = data->items, .unit = 1};
    long kept = 0;
    held.entry = make(NULL, (size_t)data->count, sizeof *held.entry);
    for (long n = 0; n < data->count; ++n)
        if (uniform(seed, (uint64_t)n) < fraction && (kept || n + 1 < data->count))
            held.entry[held.count++] = data->entry[n];
        else
            data->entry[kept++] = data->entry[n];
    data->count = kept;
    return held;
}

static inline void ratings_shuffle(struct ratings *data, uint64_t seed) {
    for (long n = data->count - 1; n > 0; --n) {
        long other = (long)(hash(seed, (uint64_t)n) % (uint64_t)(n + 1));
        struct rating one = data->entry[n];
        data->entry[n] = data->entry[other];
        data->entry[other] = one;
    }
}

/* Divides both sets by the deviation of the first. */
static inline void ratings_divide(struct ratings *data, struct ratings *test) {
    double sum = 0, squares = 0, count = (double)data->count;
    for (long n = 0; n < data->count; ++n) {
        sum += data->entry[n].value;
        squares += (double)data->entry[n].value * data->entry[n].value;
    }
    double mean = sum / count, unit = sqrt(squares / count - mean * mean);
    if (!(unit > 1e-4))
        return;
    data->unit = test->unit = unit;
    for (long n = 0; n < data->count; ++n)
        data->entry[n].value /= (float)unit;
    for (long n = 0; n < test->count; ++n)
        test->entry[n].value /= (float)unit;
}

static inline void ratings_load(const struct settings *s, struct ratings *data,
                                struct ratings *test) {
    uint64_t seed = (uint64_t)s->seed;
    *data = ratings_read(s->ratings);
    *test = s->test ? ratings_test(s->test, data) : ratings_hold_out(data, s->held_out, seed);
    if (s->shuffle)
        ratings_shuffle(data, seed + 1);
    if (s->adaptive)
        ratings_divide(data, test);
    if (!s->quiet)
        printf("%ld ratings, %ld held out, %d users, %d items, rank %d\n", data->count, test->count,
               data->users, data->items, s->rank);
}

/* ---- the model ---- */

/* With adaptive rates: how many numbers of a row have a rate of their own. */
enum { FIRST = 8 };

/* Width of the range that initial values are drawn from. */
static inline double initial_scale(const struct settings *s, const struct ratings *data) {
    double sum = 0, rank = s->rank;
    if (s->adaptive)
        return sqrt(1 / rank);
    for (long n = 0; n < data->count; ++n)
        sum += data->entry[n].value;
    return 2 * sqrt(fabs(sum / (double)data->count) / rank + 1e-4 / rank);
}

/* Number k of row `row`; side 0: users, 1: items. */
static inline double initial(const struct settings *s, double scale, int side, long row, int k) {
    uint64_t index = ((uint64_t)row * (uint64_t)s->rank + (uint64_t)k) * 2 + (uint64_t)side;
    return scale * uniform((uint64_t)s->seed + 2, index);
}

/* Whether the held-out error is wanted after this pass, counted from 0. */
static int wants_eval(const struct settings *s, const struct ratings *test, int epoch) {
    return test->count && (!s->no_eval || epoch + 1 == s->epochs);
}

/* The file, its first line written; the rows of users and items follow. NULL: none is wanted. */
static inline FILE *model_begin(const struct settings *s, const struct ratings *data) {
    if (!s->output)
        return NULL;
    FILE *file = model_open(s->output);
    fprintf(file, "mf-model %d %d %d\n", data->users, data->items, s->rank);
    return file;
}

/* `rank` numbers, as those of a model of the ratings that were read. */
static inline void model_row(FILE *file, const struct settings *s, const struct ratings *data,
                             const float *row) {
    for (int k = 0; k < s->rank; ++k) {
        float value = row[k] * (float)sqrt(data->unit);
        fwrite(&value, sizeof value, 1, file);
    }
}

#endif
