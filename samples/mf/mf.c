/*
 * Matrix factorization by stochastic gradient descent over observed ratings:
 *   min sum (value - w[user] . h[item])^2 + lambda (|w[user]|^2 + |h[item]|^2)
 * With --biases values are predicted by mean + bias of the user + bias of the item + w . h; what
 * no rating tells about a user or an item is then 0.
 * Reads lines `user item value` or a Matrix Market file, holds a part of the ratings out, prints
 * both errors after each pass, and writes the factors.
 *
 * Build: cc -O3 mf.c -o mf -lm     or     orrery-cc -O3 mf.c -o mf -lm
 */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* Orrery's, which a C compiler passes over */

/* Says what is wrong and ends the program. */
#define DIE(status, ...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), exit(status))

static void *allocate(void *old, size_t count, size_t size) {
    void *memory = count > SIZE_MAX / 2 / size ? NULL : realloc(old, count ? count * size : 1);
    if (!memory)
        DIE(1, "error: no memory for %zu elements of %zu bytes", count, size);
    return memory;
}

/* Bits that look random (Steele, Lea, Flood: SplitMix, OOPSLA 2014), and a number in [0, 1). */
static uint64_t hash(uint64_t seed, uint64_t index) {
    uint64_t z = seed + (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static double uniform(uint64_t seed, uint64_t index) {
    return (double)(hash(seed, index) >> 11) / 9007199254740992.0;
}

/* ---- options ---- */

static struct {
    const char *ratings, *test, *output;
    int rank, epochs, seed, plain, adaptive, biases, patience, shuffle, no_eval, quiet, help;
    double rate, lambda, held_out;
} options = {.rank = 32, .epochs = 20, .seed = 1, .rate = -1, .lambda = .02, .held_out = .1};

static const struct option {
    const char *name;
    enum { WHOLE, REAL, TEXT, FLAG } kind;
    void *target;
    double low, high;
    const char *help;
} option_table[] = {
    {"--rank", WHOLE, &options.rank, 1, 4096, "K: numbers per user and item (32)"},
    {"--epochs", WHOLE, &options.epochs, 0, 1e6, "passes over the ratings (20)"},
    {"--rate", REAL, &options.rate, 0, 1e6, "learning rate (0.02, adaptive 0.2)"},
    {"--lambda", REAL, &options.lambda, 0, 1e6, "regularization (0.02)"},
    {"--adaptive", FLAG, &options.adaptive, 0, 1, "two AdaGrad rates per row"},
    {"--plain", FLAG, &options.plain, 0, 1, "one rate for all (the default)"},
    {"--biases", FLAG, &options.biases, 0, 1, "mean and biases; they are two of the K numbers"},
    {"--patience", WHOLE, &options.patience, 0, 1e6, "stop after so many passes that help nothing"},
    {"--seed", WHOLE, &options.seed, 0, 1e9, "of initial values and held-out ratings (1)"},
    {"--test", TEXT, &options.test, 0, 0, "file of held-out ratings"},
    {"--held-out", REAL, &options.held_out, 0, .9, "fraction held out without --test (0.1)"},
    {"--shuffle", FLAG, &options.shuffle, 0, 1, "put the ratings into a random order first"},
    {"--no-eval-each-epoch", FLAG, &options.no_eval, 0, 1, "held-out error at the end only"},
    {"--output", TEXT, &options.output, 0, 0, "file to write the model to"},
    {"--quiet", FLAG, &options.quiet, 0, 1, "print the last line only"},
    {"--help", FLAG, &options.help, 0, 1, "print this"},
    {0},
};

static int usage(const char *program) {
    FILE *stream = options.help ? stdout : stderr;
    fprintf(stream, "usage: %s [options] RATINGS\n", program);
    for (const struct option *o = option_table; o->name; ++o)
        fprintf(stream, "  %-21s %s\n", o->name, o->help);
    return options.help ? 0 : 2;
}

static double option_number(const struct option *o, const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= o->low && value <= o->high) ||
        (o->kind == WHOLE && value != floor(value)))
        DIE(2, "error: %s `%s`: expected a %snumber from %g to %g", o->name, text,
            o->kind == WHOLE ? "whole " : "", o->low, o->high);
    return value;
}

static void parse_options(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        const struct option *o = option_table;
        while (o->name && strcmp(o->name, argv[i]) != 0)
            ++o;
        if (!o->name && (argv[i][0] == '-' || options.ratings))
            DIE(2, "error: unknown option `%s` (--help lists them)", argv[i]);
        if (o->name && o->kind != FLAG && ++i == argc)
            DIE(2, "error: %s needs a value", o->name);
        if (!o->name)
            options.ratings = argv[i];
        else if (o->kind == TEXT)
            *(const char **)o->target = argv[i];
        else if (o->kind == REAL)
            *(double *)o->target = option_number(o, argv[i]);
        else
            *(int *)o->target = o->kind == FLAG ? 1 : (int)option_number(o, argv[i]);
    }
    options.adaptive = options.adaptive && !options.plain;
    if (options.biases && options.rank < 3)
        DIE(2, "error: --biases are two of the numbers of a row: --rank 3 or more");
}

/* ---- ratings ---- */

struct rating {
    int user, item; /* from 0 */
    float value;
};

struct ratings {
    struct rating *entry;
    long count, users, items;
};

/* The file being read: `text` is the current line, `at` where in it we are. */
struct reader {
    const char *path;
    FILE *file;
    long line;
    char text[512], *at;
};

static const char banner[] = "%%MatrixMarket matrix coordinate real general";

/* Names the place, says what is wrong there and ends the program. */
#define FAIL(in, ...)                                                                              \
    (fprintf(stderr, "%s:%ld:%td: error: ", (in)->path, (in)->line, (in)->at - (in)->text + 1),    \
     DIE(1, __VA_ARGS__))

/* Moves to the next line that is neither blank nor a comment, or to the banner; 0: no more. */
static int next_line(struct reader *in) {
    while (++in->line && fgets(in->at = in->text, sizeof in->text, in->file)) {
        if (strlen(in->text) + 1 == sizeof in->text && !strchr(in->text, '\n'))
            FAIL(in, "the line is longer than %zu characters", sizeof in->text - 2);
        in->at += strspn(in->text, " \t\r\n");
        if (!strchr("%#", *in->at) || (in->line == 1 && !strncmp(in->text, banner, 14)))
            return 1;
    }
    if (ferror(in->file))
        FAIL(in, "cannot read: %s", strerror(errno));
    return 0;
}

/* A finite number, or where `most` is given a whole one from 1 to that. */
static double read_number(struct reader *in, const char *what, double most, int last) {
    char *end;
    double value = most ? strtod(in->at, &end) : strtof(in->at, &end);
    int length = (int)(end - in->at);
    if (length == 0 && strchr("\r\n", *in->at))
        FAIL(in, "expected %s before the line ends", what);
    if (length == 0 || !strchr(" \t\r\n", *end) || (most && value != floor(value)))
        FAIL(in, "expected %s, a %snumber", what, most ? "whole " : "");
    if (most && !(value >= 1 && value <= most))
        FAIL(in, "%s %.*s is out of range 1 to %.0f", what, length, in->at, most);
    if (!isfinite(value))
        FAIL(in, "%s %.*s is not a finite number", what, length, in->at);
    in->at = end + strspn(end, " \t");
    if (last && in->at[strspn(in->at, "\r\n")])
        FAIL(in, "expected the end of the line");
    return value;
}

/* Lines `user item value`, ids from 1, or a Matrix Market file. Ids keep to the sizes of `like` (a
 * test set's to those of the training set), else to those that the file itself gives. */
static struct ratings read_ratings(const char *path, const struct ratings *like) {
    struct reader in = {.path = path, .file = fopen(path, "r")};
    struct ratings out = {0};
    long room = 0, promised = 0;
    if (!in.file)
        DIE(1, "%s: error: cannot open: %s", path, strerror(errno));
    int more = next_line(&in);
    if (more && *in.at == '%') {
        if (strncmp(in.text, banner, sizeof banner - 1) != 0)
            FAIL(&in, "expected `%s`", banner);
        if (!next_line(&in))
            FAIL(&in, "expected the size line `rows columns entries`");
        out.users = (long)read_number(&in, "the number of rows", INT32_MAX, 0);
        out.items = (long)read_number(&in, "the number of columns", INT32_MAX, 0);
        promised = (long)read_number(&in, "the number of entries", 1e15, 1);
        more = next_line(&in);
    }
    long most_user = like ? like->users : promised ? out.users : INT32_MAX;
    long most_item = like ? like->items : promised ? out.items : INT32_MAX;
    for (; more; more = next_line(&in)) {
        if (out.count == room)
            out.entry = allocate(out.entry, room += room / 2 + 1024, sizeof *out.entry);
        struct rating *r = &out.entry[out.count++];
        r->user = (int)read_number(&in, "user id", most_user, 0) - 1;
        r->item = (int)read_number(&in, "item id", most_item, 0) - 1;
        r->value = (float)read_number(&in, "rating", 0, 1);
        out.users = r->user < out.users ? out.users : r->user + 1;
        out.items = r->item < out.items ? out.items : r->item + 1;
    }
    if (promised && out.count != promised)
        FAIL(&in, "the file ends after %ld entries, its header says %ld", out.count, promised);
    if (!out.count)
        FAIL(&in, "the file holds no ratings");
    fclose(in.file);
    return out;
}

/* Moves a part of `data`, chosen by the seed alone, into the returned set; some always stays. */
static struct ratings hold_out(struct ratings *data) {
    struct ratings held = {.entry = allocate(NULL, data->count, sizeof *held.entry)};
    long kept = 0;
    for (long n = 0; n < data->count; ++n)
        if (uniform(options.seed, n) < options.held_out && (kept || n + 1 < data->count))
            held.entry[held.count++] = data->entry[n];
        else
            data->entry[kept++] = data->entry[n];
    data->count = kept;
    return held;
}

static void shuffle(struct ratings *data) {
    for (long n = data->count - 1; n > 0; --n) {
        long other = (long)(hash(options.seed + 1, n) % (uint64_t)(n + 1));
        struct rating one = data->entry[n];
        data->entry[n] = data->entry[other];
        data->entry[other] = one;
    }
}

/* True when users or items never descend: gradient descent over such an order learns badly. */
static int is_sorted(const struct ratings *data) {
    int by_user = data->users > 1, by_item = data->items > 1;
    for (long n = 1; n < data->count && (by_user || by_item); ++n) {
        by_user = by_user && data->entry[n].user >= data->entry[n - 1].user;
        by_item = by_item && data->entry[n].item >= data->entry[n - 1].item;
    }
    return data->count > 2 && (by_user || by_item);
}

/* ---- training ---- */

/* Ratings are learned as how far they are from `middle`, in units of `unit`. */
static void standardize(struct ratings *data, float middle, float unit) {
    for (long n = 0; n < data->count; ++n)
        data->entry[n].value = (data->entry[n].value - middle) / unit;
}

/* `count` numbers from `least` to `least + width`; side: 0 for users, 1 for items. */
static float *draw(long count, double least, double width, int side) {
    float *x = allocate(NULL, count, sizeof *x);
    for (long i = 0; i < count; ++i)
        x[i] = least + width * uniform(options.seed + 2, 2 * i + side);
    return x;
}

/* For --biases: number `bias` of a row begins as 0, number `one` stays 1, others are on both sides
 * of 0. Rows of which no rating is learned (of users: side 0) are 0 and stay so. */
static void start_biases(float *x, const struct ratings *data, int side, float middle) {
    long rows = side ? data->items : data->users;
    int K = options.rank, bias = side, one = 1 - side;
    char *learned = allocate(NULL, rows, 1);
    memset(learned, 0, rows);
    for (long n = 0; n < data->count; ++n)
        learned[side ? data->entry[n].item : data->entry[n].user] = 1;
    for (long i = 0; i < rows * K; ++i)
        x[i] = i % K == one ? 1 : i % K == bias || !learned[i / K] ? 0 : x[i] - middle;
    free(learned);
}

static double held_out_rmse(const struct ratings *test, const float *W, const float *H, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        const float *w = W + (size_t)test->entry[n].user * K;
        const float *h = H + (size_t)test->entry[n].item * K;
        float e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        sum += e * e;
    }
    return test->count ? sqrt(sum / test->count) : NAN;
}

/* A line `mf-model users items rank`, with biases also the mean, then the rows of users and those
 * of items, native floats. */
static void save_model(const struct ratings *data, float *W, float *H, int K, float middle,
                       float unit) {
    FILE *file = fopen(options.output, "wb");
    if (!file)
        DIE(1, "%s: error: cannot write: %s", options.output, strerror(errno));
    fprintf(file, "mf-model %ld %ld %d", data->users, data->items, K);
    fprintf(file, options.biases ? " %.9g\n" : "\n", middle);
    for (long i = 0; i < data->users * K; ++i)
        fwrite(&(float){W[i] * unit}, sizeof *W, 1, file);
    for (long i = 0; i < data->items * K; ++i)
        fwrite(&(float){H[i] * unit}, sizeof *H, 1, file);
    int failed = ferror(file);
    if (fclose(file) || failed)
        DIE(1, "%s: error: the model could not be written whole", options.output);
}

static double clock_seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What early stopping keeps: the factors of the best pass so far. */
struct best {
    int pass;
    double held_out;
    float *W, *H;
};

/* Looks at the factors after a pass; 1: no pass of the last `patience` was better than the best. */
static int should_stop(struct best *best, int pass, double held_out, float *W, size_t users,
                       float *H, size_t items) {
    if (!best->W || held_out < best->held_out) {
        best->W = memcpy(allocate(best->W, users, sizeof *W), W, users * sizeof *W);
        best->H = memcpy(allocate(best->H, items, sizeof *H), H, items * sizeof *H);
        best->pass = pass;
        best->held_out = held_out;
    }
    return pass >= best->pass + options.patience;
}

/* Adaptive: the first 8 numbers of a row have a rate of their own, and learn alone in the first
 * pass what all ratings share (Chin and others, PAKDD 2015); ratings get a deviation of 1. */
static void train(struct ratings *data, struct ratings *test) {
    const struct rating *r = data->entry;
    int K = options.rank, adaptive = options.adaptive, first = K < 8 ? K : 8;
    double sum = 0, squares = 0, total = 0, train = NAN, held_out = NAN;
    for (long n = 0; n < data->count; ++n) {
        sum += r[n].value;
        squares += (double)r[n].value * r[n].value;
    }
    double mean = sum / data->count, deviation = sqrt(squares / data->count - mean * mean);
    double unit = adaptive && deviation > 1e-4 ? deviation : 1;
    double scale = adaptive ? sqrt(1. / K) : 2 * sqrt(fabs(mean) / K + 1e-4 / K);
    float middle = options.biases ? mean : 0;
    float rate = options.rate >= 0 ? options.rate : adaptive ? .2 : .02;
    float lambda = options.lambda / unit;
    float *W = draw(data->users * K, 0, scale, 0), *H = draw(data->items * K, 0, scale, 1);
    float *GW = draw(data->users * 2, 1, 0, 0), *GH = draw(data->items * 2, 1, 0, 1);
    double *seconds = allocate(NULL, options.epochs, sizeof *seconds);
    struct best best = {0};
    int biases = options.biases, passes = 0;
    standardize(data, middle, unit);
    standardize(test, middle, unit);
    if (biases) {
        start_biases(W, data, 0, scale / 2);
        start_biases(H, data, 1, scale / 2);
    }

    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        int rest = epoch > 0 ? K - first : 0;
        float late = epoch > 0 ? rate : 0;
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            if (!adaptive) {
                for (int k = 0; k < K; ++k) {
                    float wk = w[k];
                    w[k] += rate * (e * h[k] - lambda * wk);
                    h[k] += rate * (e * wk - lambda * h[k]);
                }
            } else {
                float *gw = GW + (size_t)r[n].user * 2, *gh = GH + (size_t)r[n].item * 2;
                float rate_w = rate / sqrtf(gw[0]), rate_h = rate / sqrtf(gh[0]);
                float late_w = late / sqrtf(gw[1]), late_h = late / sqrtf(gh[1]);
                float sum_w = 0, sum_h = 0, late_sum_w = 0, late_sum_h = 0;
                for (int k = 0; k < first; ++k) {
                    float dw = e * h[k] - lambda * w[k], dh = e * w[k] - lambda * h[k];
                    w[k] += rate_w * dw;
                    h[k] += rate_h * dh;
                    sum_w += dw * dw;
                    sum_h += dh * dh;
                }
                for (int k = first; k < K; ++k) {
                    float dw = e * h[k] - lambda * w[k], dh = e * w[k] - lambda * h[k];
                    w[k] += late_w * dw;
                    h[k] += late_h * dh;
                    late_sum_w += dw * dw;
                    late_sum_h += dh * dh;
                }
                gw[0] += sum_w / first;
                gh[0] += sum_h / first;
                if (rest > 0) {
                    gw[1] += late_sum_w / rest;
                    gh[1] += late_sum_h / rest;
                }
            }
            if (biases)
                for (int k = 0; k < K; ++k) {
                    w[k] = k == 1 ? 1 : w[k];
                    h[k] = k == 0 ? 1 : h[k];
                }
        }
        passes = epoch + 1;
        total += seconds[epoch] = clock_seconds() - start;
        train = unit * sqrt(loss / data->count);
        if (!options.no_eval || options.patience || epoch + 1 == options.epochs)
            held_out = unit * held_out_rmse(test, W, H, K);
        if (!isfinite(train))
            DIE(1, "error: epoch %d: the model diverged, try a lower --rate", epoch + 1);
        if (!options.quiet)
            printf("epoch %3d  train %.6f  held-out %.6f  %.4f s\n", epoch + 1, train, held_out,
                   seconds[epoch]);
        if (options.patience && test->count &&
            should_stop(&best, epoch, held_out, W, data->users * K, H, data->items * K))
            break;
    }
    qsort(seconds, passes, sizeof *seconds, compare);
    printf("%d passes in %.4f s, median %.6f s per pass, train %.6f, held-out %.6f\n", passes,
           total, passes ? seconds[passes / 2] : 0, train, held_out);
    if (best.W)
        printf("the best: epoch %d, held-out %.6f\n", best.pass + 1, best.held_out);
    if (options.output)
        save_model(data, best.W ? best.W : W, best.H ? best.H : H, K, middle, sqrt(unit));
    free(best.W);
    free(best.H);
    free(seconds);
    free(W);
    free(H);
    free(GW);
    free(GH);
}

int main(int argc, char **argv) {
    parse_options(argc, argv);
    if (options.help || !options.ratings)
        return usage(argv[0]);
    struct ratings data = read_ratings(options.ratings, NULL);
    struct ratings test = options.test ? read_ratings(options.test, &data) : hold_out(&data);
    if (options.shuffle)
        shuffle(&data);
    else if (is_sorted(&data))
        fprintf(stderr,
                "%s: note: the ratings are sorted, SGD learns badly in such an order: "
                "--shuffle mixes them\n",
                options.ratings);
    if (!options.quiet)
        printf("%ld ratings, %ld held out, %ld users, %ld items, rank %d\n", data.count, test.count,
               data.users, data.items, options.rank);
    train(&data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
