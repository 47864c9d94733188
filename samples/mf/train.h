/*
 * What the matrix-factorization programs share besides the data: options, initial values, the
 * clock, the report, the model file. What each does itself, in its own shape, is the training.
 */
#ifndef TRAIN_H
#define TRAIN_H

#include "ratings.h"

#include <time.h>

struct train_options {
    const char *ratings, *test, *output;
    int rank, epochs;
    double rate, lambda, held_out;
    unsigned long seed;
    int adaptive, shuffle, quiet, no_eval;
};

/* What the epochs amounted to; `seconds` holds one entry per pass. */
struct train_log {
    int epochs;
    double *seconds;
    double train, held_out;
};

/* ---- options ---- */

enum train_kind { TRAIN_TEXT, TRAIN_INT, TRAIN_SEED, TRAIN_REAL, TRAIN_FLAG };

/* One option: where its value goes (offset in train_options) and what it may be. */
struct train_option {
    const char *name;
    enum train_kind kind;
    size_t offset;
    double low, high;
    const char *help;
};

#define TRAIN_AT(field) offsetof(struct train_options, field)

static const struct train_option train_table[] = {
    {"--rank", TRAIN_INT, TRAIN_AT(rank), 1, 4096, "K: numbers per user and item (32)"},
    {"--epochs", TRAIN_INT, TRAIN_AT(epochs), 0, 1e6, "passes over the ratings (20)"},
    {"--rate", TRAIN_REAL, TRAIN_AT(rate), 0, 1e6, "learning rate (0.02, adaptive 0.2)"},
    {"--lambda", TRAIN_REAL, TRAIN_AT(lambda), 0, 1e6, "regularization (0.02)"},
    {"--adaptive", TRAIN_FLAG, TRAIN_AT(adaptive), 0, 1, "two AdaGrad rates per row, as in LIBMF"},
    {"--seed", TRAIN_SEED, TRAIN_AT(seed), 0, 1e18, "of initial values and held-out ratings (1)"},
    {"--test", TRAIN_TEXT, TRAIN_AT(test), 0, 0, "file of held-out ratings"},
    {"--held-out", TRAIN_REAL, TRAIN_AT(held_out), 0, .9, "fraction held out without --test (0.1)"},
    {"--shuffle", TRAIN_FLAG, TRAIN_AT(shuffle), 0, 1, "put the ratings into a random order first"},
    {"--no-eval-each-epoch", TRAIN_FLAG, TRAIN_AT(no_eval), 0, 1, "held-out error at the end only"},
    {"--output", TRAIN_TEXT, TRAIN_AT(output), 0, 0, "file to write the model to"},
    {"--quiet", TRAIN_FLAG, TRAIN_AT(quiet), 0, 1, "print the last line only"},
};

enum { TRAIN_OPTIONS = sizeof train_table / sizeof *train_table };

static void train_usage(FILE *stream, const char *program) {
    fprintf(stream, "usage: %s [options] RATINGS\n", program);
    for (int i = 0; i < TRAIN_OPTIONS; ++i)
        fprintf(stream, "  %-21s %s\n", train_table[i].name, train_table[i].help);
}

static const struct train_option *train_option_find(const char *name) {
    for (int i = 0; i < TRAIN_OPTIONS; ++i)
        if (strcmp(train_table[i].name, name) == 0)
            return &train_table[i];
    fprintf(stderr, "error: unknown option `%s` (--help lists them)\n", name);
    exit(2);
}

static void train_option_set(const struct train_option *option, void *target, const char *text) {
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    int whole = option->kind != TRAIN_REAL;
    if (end == text || *end || errno || !(value >= option->low && value <= option->high) ||
        (whole && value != floor(value))) {
        fprintf(stderr, "error: %s `%s`: expected %s from %g to %g\n", option->name, text,
                whole ? "a whole number" : "a number", option->low, option->high);
        exit(2);
    }
    if (option->kind == TRAIN_INT)
        *(int *)target = (int)value;
    else if (option->kind == TRAIN_SEED)
        *(unsigned long *)target = strtoul(text, NULL, 10);
    else
        *(double *)target = value;
}

static struct train_options train_options_parse(int argc, char **argv) {
    struct train_options options = {
        .rank = 32, .epochs = 20, .rate = -1, .lambda = .02, .held_out = .1, .seed = 1};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--help") == 0) {
            train_usage(stdout, argv[0]);
            exit(0);
        }
        if (argv[i][0] != '-' && !options.ratings) {
            options.ratings = argv[i];
            continue;
        }
        const struct train_option *option = train_option_find(argv[i]);
        void *target = (char *)&options + option->offset;
        if (option->kind == TRAIN_FLAG) {
            *(int *)target = 1;
        } else if (++i == argc) {
            fprintf(stderr, "error: %s needs a value\n", option->name);
            exit(2);
        } else if (option->kind == TRAIN_TEXT) {
            *(const char **)target = argv[i];
        } else {
            train_option_set(option, target, argv[i]);
        }
    }
    if (!options.ratings) {
        train_usage(stderr, argv[0]);
        exit(2);
    }
    if (options.rate < 0)
        options.rate = options.adaptive ? .2 : .02;
    return options;
}

/* ---- data and initial values ---- */

/*
 * Divides both sets by the deviation of the first, so that a learning rate fits ratings of any
 * unit: adaptive rates begin the same whatever the ratings are (LIBMF divides, too).
 */
static void train_divide(struct ratings *data, struct ratings *test) {
    double sum = 0, squares = 0;
    for (long n = 0; n < data->count; ++n) {
        sum += data->entry[n].value;
        squares += (double)data->entry[n].value * data->entry[n].value;
    }
    double mean = sum / (double)data->count,
           unit = sqrt(squares / (double)data->count - mean * mean);
    if (!(unit > 1e-4))
        return;
    data->unit = test->unit = unit;
    for (long n = 0; n < data->count; ++n)
        data->entry[n].value /= (float)unit;
    for (long n = 0; n < test->count; ++n)
        test->entry[n].value /= (float)unit;
}

/* `count` numbers of a row as those of a model of the ratings that were read. */
static inline void train_restore(const struct ratings *data, float *row, size_t count) {
    for (size_t k = 0; k < count; ++k)
        row[k] *= (float)sqrt(data->unit);
}

/* Reads, splits and arranges what the options say. */
static void train_load(const struct train_options *options, struct ratings *data,
                       struct ratings *test) {
    *data = ratings_read(options->ratings, NULL);
    *test = options->test ? ratings_read(options->test, data)
                          : ratings_hold_out(data, options->held_out, options->seed);
    if (options->shuffle)
        ratings_shuffle(data, options->seed + 1);
    else if (ratings_sorted(data))
        fprintf(stderr,
                "%s: note: the ratings are sorted, SGD learns badly in such an order: "
                "--shuffle mixes them\n",
                options->ratings);
    if (options->adaptive)
        train_divide(data, test);
    if (!options->quiet)
        printf("%ld ratings, %ld held out, %d users, %d items, rank %d\n", data->count, test->count,
               data->users, data->items, options->rank);
}

/*
 * With adaptive rates the first TRAIN_FIRST numbers of a row have a rate of their own, and learn
 * alone in the first pass: what ratings have in common goes there (Chin and others, PAKDD 2015).
 */
enum { TRAIN_FIRST = 8 };

/*
 * Width of the range that initial values are drawn from: w.h starts at about the mean rating. With
 * adaptive rates, as in LIBMF, smaller: the first pass finds the mean.
 */
static double train_initial_scale(const struct train_options *options, const struct ratings *data) {
    double sum = 0, rank = options->rank;
    if (options->adaptive)
        return sqrt(1 / rank);
    for (long n = 0; n < data->count; ++n)
        sum += data->entry[n].value;
    return 2 * sqrt(fabs(sum / (double)data->count) / rank + 1e-4 / rank);
}

/* Number k of row `row`; side 0: users, 1: items. */
static double train_initial(const struct train_options *options, double scale, int side, long row,
                            int k) {
    uint64_t index = ((uint64_t)row * (uint64_t)options->rank + (uint64_t)k) * 2 + (uint64_t)side;
    return scale * ratings_random(options->seed + 2, index);
}

/* ---- report ---- */

static double train_clock(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int train_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct train_log train_log_start(const struct train_options *options) {
    struct train_log log = {.held_out = NAN, .train = NAN};
    log.seconds = ratings_alloc(NULL, (size_t)options->epochs, sizeof *log.seconds);
    return log;
}

/* Whether the held-out error is to be computed after epoch `epoch` (0-based). */
static int train_wants_eval(const struct train_options *options, int epoch) {
    return !options->no_eval || epoch + 1 == options->epochs;
}

/* Notes one pass: the errors' squares summed before each update, its time, the held-out RMSE. */
static void train_log_epoch(const struct train_options *options, struct train_log *log, double loss,
                            long count, double seconds, double held_out) {
    log->seconds[log->epochs++] = seconds;
    log->train = sqrt(loss / (double)count);
    log->held_out = held_out;
    if (!isfinite(log->train)) {
        fprintf(stderr, "error: epoch %d: the model diverged, try a lower --rate\n", log->epochs);
        exit(1);
    }
    if (!options->quiet)
        printf("epoch %3d  train %.6f  held-out %.6f  %.4f s\n", log->epochs, log->train, held_out,
               seconds);
}

static void train_log_end(struct train_log *log) {
    double total = 0, median = 0;
    for (int i = 0; i < log->epochs; ++i)
        total += log->seconds[i];
    qsort(log->seconds, (size_t)log->epochs, sizeof *log->seconds, train_compare);
    if (log->epochs)
        median = log->seconds[log->epochs / 2];
    printf("%d passes in %.4f s, median %.6f s per pass, train %.6f, held-out %.6f\n", log->epochs,
           total, median, log->train, log->held_out);
    free(log->seconds);
}

/* ---- the model file ---- */

/*
 * A text line `mf-model users items rank`, then the rows of W (users) and those of H (items), rank
 * native floats each. train_model_open returns NULL when no output is wanted.
 */
static FILE *train_model_open(const struct train_options *options, const struct ratings *data) {
    if (!options->output)
        return NULL;
    FILE *file = fopen(options->output, "wb");
    if (!file) {
        fprintf(stderr, "%s: error: cannot write: %s\n", options->output, strerror(errno));
        exit(1);
    }
    fprintf(file, "mf-model %d %d %d\n", data->users, data->items, options->rank);
    return file;
}

static void train_model_close(const struct train_options *options, FILE *file) {
    int failed = ferror(file);
    if (fclose(file) || failed) {
        fprintf(stderr, "%s: error: the model could not be written whole\n", options->output);
        exit(1);
    }
}

#endif
