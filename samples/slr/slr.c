/*
 * Sparse logistic regression by stochastic gradient descent over examples in libsvm's format, lines
 * `label feature:value ...`, features from 1; or over examples that are made.
 *
 * An example changes the weights of its own features only, but which these are only the data tell,
 * and everybody shares the frequent ones. So the loop gives up its dependences through the weights:
 * relax() adds up what rows of the grid changed; with --adagrad buffer() calls a function of this
 * file with the gradients (without Orrery --adagrad is plain gradient descent).
 *
 * Build: cc -O3 slr.c -o slr -lm     or     orrery-cc -O3 slr.c -o slr -lm
 */
/* Without Orrery the two pragmas below mean nothing, and that is all right; nor is all of program.h
 * wanted. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "../common/reader.h"

/* Example i has the features feature[p], p from begin[i] to begin[i + 1]. Feature 0 is always 1. */
struct examples {
    long count, room, entries, entries_room;
    long *begin;
    int *feature;
    float *value, *label;
    int features;
};

struct settings {
    int epochs, examples, features, length, seed, adagrad, quiet, no_eval;
    double rate, lambda, held_out;
    const char *test, *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the examples (10)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.002; --adagrad: 0.05)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (1e-5)"},
    {"--adagrad", OPTION_FLAG, AT(adagrad), 0, 1, "a rate per feature"},
    {"--test", OPTION_TEXT, AT(test), 0, 0, "file of examples to judge by"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "else this fraction is held out (0.1)"},
    {"--examples", OPTION_INT, AT(examples), 1, 1e9, "that are made (100000)"},
    {"--features", OPTION_INT, AT(features), 1, 1e9, "of these (100000)"},
    {"--length", OPTION_INT, AT(length), 1, 1e6, "features of an example (30)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of the examples, what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "file to write the weights to"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- examples ---- */

static void add_entry(struct examples *x, int feature, float value) {
    if (x->entries == x->entries_room) {
        x->entries_room += x->entries_room / 2 + 4096;
        x->feature = make(x->feature, (size_t)x->entries_room, sizeof *x->feature);
        x->value = make(x->value, (size_t)x->entries_room, sizeof *x->value);
    }
    x->feature[x->entries] = feature;
    x->value[x->entries++] = value;
    x->features = feature < x->features ? x->features : feature + 1;
}

static void add_example(struct examples *x, int positive) {
    if (x->count == x->room) {
        x->room += x->room / 2 + 1024;
        x->label = make(x->label, (size_t)x->room, sizeof *x->label);
        x->begin = make(x->begin, (size_t)x->room + 1, sizeof *x->begin);
    }
    x->begin[x->count] = x->entries;
    x->label[x->count++] = positive ? 1 : 0;
    x->begin[x->count] = x->entries;
    add_entry(x, 0, 1);
}

/* A number up to one of `ends`; moves behind it. */
static double read_number(struct reader *in, const char *ends, const char *what) {
    char *end;
    double value = strtod(in->at, &end);
    if (end == in->at || (*end && !strchr(ends, *end)) || !isfinite(value))
        reader_fail(in, "expected %s", what);
    in->at = end;
    return value;
}

static void read_example(struct reader *in, struct examples *x) {
    add_example(x, read_number(in, " \t\r\n", "a label, +1 or -1") > 0);
    for (in->at += strspn(in->at, " \t\r\n"); *in->at; in->at += strspn(in->at, " \t\r\n")) {
        char *start = in->at;
        double feature = read_number(in, ":", "a feature and a colon");
        if (*in->at != ':' || feature < 1 || feature >= INT_MAX || feature != floor(feature)) {
            in->at = start;
            reader_fail(in, "expected a feature, a whole number from 1 on, and a colon");
        }
        ++in->at;
        add_entry(x, (int)feature, (float)read_number(in, " \t\r\n", "a finite number"));
    }
    x->begin[x->count] = x->entries;
}

static struct examples read_examples(const char *path) {
    struct examples x = {0};
    struct reader in = reader_open(path);
    while (reader_line(&in))
        read_example(&in, &x);
    fclose(in.file);
    if (x.count == 0) {
        fprintf(stderr, "%s: error: no examples\n", path);
        exit(1);
    }
    return x;
}

/* Frequent features come first, and the true weights are drawn like everything else. */
static struct examples make_examples(const struct settings *s) {
    struct examples x = {0};
    uint64_t seed = (uint64_t)s->seed, draw = 0;
    for (int i = 0; i < s->examples; ++i) {
        double score = 0;
        add_example(&x, 0);
        for (int k = 0; k < s->length; ++k) {
            double u = uniform(seed, draw++);
            int feature = 1 + (int)((double)s->features * u * u * u);
            add_entry(&x, feature, 1);
            score += 4 * uniform(seed + 1, (uint64_t)feature) - 2;
        }
        x.begin[x.count] = x.entries;
        x.label[x.count - 1] = uniform(seed + 2, (uint64_t)i) < 1 / (1 + exp(-score));
    }
    return x;
}

/* Moves the examples that are held out behind the others and returns them. */
static struct examples split(struct examples *x, double fraction, uint64_t seed) {
    struct examples kept = {0}, out = {0};
    for (long i = 0; i < x->count; ++i) {
        struct examples *to = uniform(seed, (uint64_t)i) < fraction ? &out : &kept;
        add_example(to, x->label[i] > 0);
        for (long p = x->begin[i] + 1; p < x->begin[i + 1]; ++p)
            add_entry(to, x->feature[p], x->value[p]);
        to->begin[to->count] = to->entries;
    }
    kept.features = out.features = x->features;
    *x = kept;
    return out;
}

/* ---- quality ---- */

static double loss_of(float score, float label) {
    double margin = label > 0 ? score : -score;
    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

static double mean_loss(const struct examples *x, const float *w, int features, double *correct) {
    double loss = 0, right = 0;
    for (long i = 0; i < x->count; ++i) {
        float score = 0;
        for (long p = x->begin[i]; p < x->begin[i + 1]; ++p)
            score += x->feature[p] < features ? w[x->feature[p]] * x->value[p] : 0;
        loss += loss_of(score, x->label[i]);
        right += (score > 0) == (x->label[i] > 0);
    }
    *correct = x->count ? right / (double)x->count : NAN;
    return x->count ? loss / (double)x->count : NAN;
}

/* ---- training ---- */

static double pass(const struct examples *x, float *w, float rate, float lambda) {
    const long *begin = x->begin;
    const int *feature = x->feature;
    const float *value = x->value, *label = x->label;
    double loss = 0;
#pragma orrery parallel unordered relax(w) sync(iterations = 32)
    for (long i = 0; i < x->count; ++i) {
        float score = 0;
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            score += w[feature[p]] * value[p];
        loss += loss_of(score, label[i]);
        float g = label[i] - 1 / (1 + expf(-score));
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            w[feature[p]] += rate * (g * value[p] - lambda * w[feature[p]]);
    }
    return loss / (double)x->count;
}

/* AdaGrad: each feature's own rate, from the squares of what it has been told so far. */
static float *squares, step;

void adagrad(float *w, float update, long feature);

void adagrad(float *w, float update, long feature) {
    squares[feature] += update * update;
    *w += step * update / (1e-6f + sqrtf(squares[feature]));
}

static double adaptive_pass(const struct examples *x, float *w, float rate, float lambda) {
    const long *begin = x->begin;
    const int *feature = x->feature;
    const float *value = x->value, *label = x->label;
    double loss = 0;
    step = rate;
#pragma orrery parallel unordered buffer(w : adagrad) sync(iterations = 256)
    for (long i = 0; i < x->count; ++i) {
        float score = 0;
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            score += w[feature[p]] * value[p];
        loss += loss_of(score, label[i]);
        float g = label[i] - 1 / (1 + expf(-score));
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            w[feature[p]] += rate * (g * value[p] - lambda * w[feature[p]]);
    }
    return loss / (double)x->count;
}

static void save(const char *path, const float *w, int features) {
    FILE *file = model_open(path);
    fprintf(file, "slr-model %d\n", features);
    fwrite(w, sizeof *w, (size_t)features, file);
    model_close(path, file);
}

static void train(const struct settings *s, const struct examples *x, const struct examples *test) {
    float *w = make(NULL, (size_t)x->features, sizeof *w);
    float lambda = (float)s->lambda, rate = (float)(s->rate > 0  ? s->rate
                                                    : s->adagrad ? .05
                                                                 : .002);
    double correct = NAN, held_out = NAN;
    struct report report = {.quiet = s->quiet, .train = NAN, .held_out = NAN};
    squares = make(NULL, (size_t)x->features, sizeof *squares);
    memset(w, 0, (size_t)x->features * sizeof *w);
    memset(squares, 0, (size_t)x->features * sizeof *squares);
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double start = clock_seconds();
        double loss = s->adagrad ? adaptive_pass(x, w, rate, lambda) : pass(x, w, rate, lambda);
        double seconds = clock_seconds() - start;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        held_out = wanted ? mean_loss(test, w, x->features, &correct) : NAN;
        report_pass(&report, loss, held_out, seconds);
    }
    if (!s->quiet)
        printf("%.4f of the held-out examples are told apart\n", correct);
    report_end(&report);
    if (s->output)
        save(s->output, w, x->features);
    free(w);
    free(squares);
}

int main(int argc, char **argv) {
    struct settings s = {.epochs = 10,
                         .examples = 100000,
                         .features = 100000,
                         .length = 30,
                         .seed = 1,
                         .lambda = 1e-5,
                         .held_out = .1};
    const char *path = options_parse(argc, argv, "slr [options] [EXAMPLES]",
                                     sizeof table / sizeof *table, table, &s);
    struct examples x = path ? read_examples(path) : make_examples(&s);
    struct examples test =
        s.test ? read_examples(s.test) : split(&x, s.held_out, (uint64_t)s.seed + 3);
    if (!s.quiet)
        printf("%ld examples, %ld entries, %ld held out, %d features\n", x.count, x.entries,
               test.count, x.features);
    train(&s, &x, &test);
    return 0;
}
