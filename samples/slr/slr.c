/*
 * Sparse logistic regression by stochastic gradient descent over examples in libsvm's format, lines
 * `label feature:value ...`; or over examples that are made.
 *
 * An example changes the weights of its own features only, but which these are only the data tell,
 * and everybody shares the frequent ones. So the loop gives up its dependences through the weights:
 * relax() adds up what rows of the grid changed; with --adagrad buffer() calls a function of this
 * file with the gradients (without Orrery --adagrad is plain gradient descent).
 *
 * Build: cc -O3 slr.c -o slr -lorrery-load -lm     or     orrery-cc -O3 slr.c -o slr -lm
 */
#include "../common/data.h"

/* Without Orrery the two pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

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
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.w.npy, the constant last"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- examples ---- */

/* Labels are 1 or 0 here, whatever they are in the file. */
static struct orrery_examples read_examples(const char *path) {
    struct orrery_examples x;
    loaded(orrery_load_examples(path, &x));
    if (x.count == 0)
        data_empty(path, "examples");
    for (long i = 0; i < x.count; ++i)
        x.label[i] = x.label[i] > 0;
    return x;
}

static struct orrery_examples room_for(long count, long entries, int features) {
    struct orrery_examples x = {.count = count, .entries = entries, .features = features};
    x.label = make(NULL, (size_t)count, sizeof *x.label);
    x.start = make(NULL, (size_t)count + 1, sizeof *x.start);
    x.feature = make(NULL, (size_t)entries, sizeof *x.feature);
    x.value = make(NULL, (size_t)entries, sizeof *x.value);
    x.start[0] = 0;
    return x;
}

/* Frequent features come first, and the true weights are drawn like everything else. */
static struct orrery_examples make_examples(const struct settings *s) {
    struct orrery_examples x = room_for(s->examples, (long)s->examples * s->length, s->features);
    uint64_t seed = (uint64_t)s->seed;
    for (long i = 0, p = 0; i < x.count; ++i) {
        double score = 0;
        for (int k = 0; k < s->length; ++k, ++p) {
            double u = uniform(seed, (uint64_t)p);
            x.feature[p] = (int)((double)s->features * u * u * u);
            x.value[p] = 1;
            score += 4 * uniform(seed + 1, (uint64_t)x.feature[p] + 1) - 2;
        }
        x.start[i + 1] = p;
        x.label[i] = uniform(seed + 2, (uint64_t)i) < 1 / (1 + exp(-score));
    }
    return x;
}

/* Example `i` of `from` as number `to` of `x`, which may be the same set when to <= i. */
static void put_example(const struct orrery_examples *from, long i, struct orrery_examples *x,
                        long to) {
    long first = from->start[i], length = from->start[i + 1] - first, at = x->start[to];
    x->label[to] = from->label[i];
    memmove(x->feature + at, from->feature + first, (size_t)length * sizeof *x->feature);
    memmove(x->value + at, from->value + first, (size_t)length * sizeof *x->value);
    x->start[to + 1] = at + length;
}

/* Moves the examples that are held out into a set of their own, which is returned. */
static struct orrery_examples split(struct orrery_examples *x, double fraction, uint64_t seed) {
    long kept = 0, count = 0, entries = 0;
    for (long i = 0; i < x->count; ++i)
        if (uniform(seed, (uint64_t)i) < fraction) {
            ++count;
            entries += x->start[i + 1] - x->start[i];
        }
    struct orrery_examples out = room_for(count, entries, x->features);
    count = 0;
    for (long i = 0; i < x->count; ++i) {
        if (uniform(seed, (uint64_t)i) < fraction)
            put_example(x, i, &out, count++);
        else
            put_example(x, i, x, kept++);
    }
    x->count = kept;
    x->entries = x->start[kept];
    return out;
}

/* ---- quality ---- */

static double loss_of(float score, float label) {
    double margin = label > 0 ? score : -score;
    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

/* w[features]: the constant. Features of `x` that nothing was learned of count nothing. */
static double mean_loss(const struct orrery_examples *x, const float *w, int features,
                        double *correct) {
    double loss = 0, right = 0;
    for (long i = 0; i < x->count; ++i) {
        float score = w[features];
        for (long p = x->start[i]; p < x->start[i + 1]; ++p)
            score += x->feature[p] < features ? w[x->feature[p]] * x->value[p] : 0;
        loss += loss_of(score, x->label[i]);
        right += (score > 0) == (x->label[i] > 0);
    }
    *correct = x->count ? right / (double)x->count : NAN;
    return x->count ? loss / (double)x->count : NAN;
}

/* ---- training ---- */

static double pass(const struct orrery_examples *x, float *w, float rate, float lambda) {
    const long *start = x->start;
    int constant = x->features;
    const int *feature = x->feature;
    const float *value = x->value, *label = x->label;
    double loss = 0;
#pragma orrery parallel unordered relax(add : w) sync(iterations = 32)
    for (long i = 0; i < x->count; ++i) {
        float score = w[constant];
        for (long p = start[i]; p < start[i + 1]; ++p)
            score += w[feature[p]] * value[p];
        loss += loss_of(score, label[i]);
        float g = label[i] - 1 / (1 + expf(-score));
        w[constant] += rate * (g - lambda * w[constant]);
        for (long p = start[i]; p < start[i + 1]; ++p)
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

static double adaptive_pass(const struct orrery_examples *x, float *w, float rate, float lambda) {
    const long *start = x->start;
    int constant = x->features;
    const int *feature = x->feature;
    const float *value = x->value, *label = x->label;
    double loss = 0;
    step = rate;
#pragma orrery parallel unordered buffer(w : adagrad) sync(iterations = 256)
    for (long i = 0; i < x->count; ++i) {
        float score = w[constant];
        for (long p = start[i]; p < start[i + 1]; ++p)
            score += w[feature[p]] * value[p];
        loss += loss_of(score, label[i]);
        float g = label[i] - 1 / (1 + expf(-score));
        w[constant] += rate * (g - lambda * w[constant]);
        for (long p = start[i]; p < start[i + 1]; ++p)
            w[feature[p]] += rate * (g * value[p] - lambda * w[feature[p]]);
    }
    return loss / (double)x->count;
}

static void train(const struct settings *s, const struct orrery_examples *x,
                  const struct orrery_examples *test) {
    size_t weights = (size_t)x->features + 1;
    float *w = make(NULL, weights, sizeof *w);
    float lambda = (float)s->lambda, rate = (float)(s->rate > 0  ? s->rate
                                                    : s->adagrad ? .05
                                                                 : .002);
    double correct = NAN, held_out = NAN;
    struct report report = {.quiet = s->quiet, .train = NAN, .held_out = NAN};
    squares = make(NULL, weights, sizeof *squares);
    memset(w, 0, weights * sizeof *w);
    memset(squares, 0, weights * sizeof *squares);
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
    if (s->output) {
        struct orrery_model_array model = model_array("w", ORRERY_NPY_FLOAT, w, (long)weights, 1);
        model_save(s->output, 1, &model);
    }
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
    struct orrery_examples x = path ? read_examples(path) : make_examples(&s);
    struct orrery_examples test =
        s.test ? read_examples(s.test) : split(&x, s.held_out, (uint64_t)s.seed + 3);
    if (!s.quiet)
        printf("%ld examples, %ld entries, %ld held out, %d features\n", x.count, x.entries,
               test.count, x.features);
    train(&s, &x, &test);
    orrery_free_examples(&x);
    orrery_free_examples(&test);
    return 0;
}
