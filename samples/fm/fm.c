/*
 * Factorization machines (Rendle, ICDM 2010) for telling two kinds of examples apart: a weight per
 * feature, and for each pair of features the product of two short vectors:
 *   score = b + sum_f w_f x_f + sum_{f < g} (v_f . v_g) x_f x_g
 * by stochastic gradient descent on the logistic loss, over examples in libsvm's format.
 *
 * Build: cc -O3 fm.c -o fm -lorrery-load -lm     or     orrery-cc -O3 fm.c -o fm -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { K = 8 }; /* numbers per feature */

struct settings {
    int epochs, seed, quiet, no_eval;
    double rate, lambda, held_out;
    const char *test, *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the examples (10)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.002)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (1e-4)"},
    {"--test", OPTION_TEXT, AT(test), 0, 0, "file of examples to judge by"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "else this fraction is held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial values, what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.w.npy, PATH.V.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- examples ---- */

static struct orrery_examples read_examples(const char *path) {
    struct orrery_examples x;
    loaded(orrery_load_examples(path, &x));
    if (x.count == 0)
        data_empty(path, "examples");
    return x;
}

/* Moves the last examples, a fraction of all, into a set of their own. */
static struct orrery_examples split(struct orrery_examples *x, double fraction) {
    long kept = x->count - (long)(fraction * (double)x->count), first = x->start[kept];
    struct orrery_examples out = {
        .count = x->count - kept, .entries = x->entries - first, .features = x->features};
    out.label = make(NULL, (size_t)out.count, sizeof *out.label);
    out.start = make(NULL, (size_t)out.count + 1, sizeof *out.start);
    out.feature = make(NULL, (size_t)out.entries, sizeof *out.feature);
    out.value = make(NULL, (size_t)out.entries, sizeof *out.value);
    memcpy(out.label, x->label + kept, (size_t)out.count * sizeof *out.label);
    memcpy(out.feature, x->feature + first, (size_t)out.entries * sizeof *out.feature);
    memcpy(out.value, x->value + first, (size_t)out.entries * sizeof *out.value);
    for (long i = 0; i <= out.count; ++i)
        out.start[i] = x->start[kept + i] - first;
    x->count = kept;
    x->entries = first;
    return out;
}

/* ---- the model ---- */

/* w: the features' weights, then the constant; V: a row of K numbers per feature. */
struct model {
    int features;
    float *w, *V;
};

static struct model start(int features, uint64_t seed) {
    size_t size = (size_t)features;
    struct model m = {features, make(NULL, size + 1, sizeof(float)),
                      make(NULL, size * K, sizeof(float))};
    memset(m.w, 0, (size + 1) * sizeof *m.w);
    for (size_t i = 0; i < size * K; ++i)
        m.V[i] = (float)(.1 * (uniform(seed, i) - .5));
    return m;
}

static double score_of(const struct model *m, const struct orrery_examples *x, long i) {
    double score = m->w[m->features];
    for (int k = 0; k < K; ++k) {
        double sum = 0, squares = 0;
        for (long p = x->start[i]; p < x->start[i + 1]; ++p)
            if (x->feature[p] < m->features) {
                double part = (double)m->V[(size_t)x->feature[p] * K + (size_t)k] * x->value[p];
                sum += part;
                squares += part * part;
            }
        score += .5 * (sum * sum - squares);
    }
    for (long p = x->start[i]; p < x->start[i + 1]; ++p)
        score += x->feature[p] < m->features ? (double)m->w[x->feature[p]] * x->value[p] : 0;
    return score;
}

static double loss_of(double score, float label) {
    double margin = label > 0 ? score : -score;
    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

static double mean_loss(const struct model *m, const struct orrery_examples *x, double *correct) {
    double loss = 0, right = 0;
    for (long i = 0; i < x->count; ++i) {
        double score = score_of(m, x, i);
        loss += loss_of(score, x->label[i]);
        right += (score > 0) == (x->label[i] > 0);
    }
    *correct = x->count ? right / (double)x->count : NAN;
    return x->count ? loss / (double)x->count : NAN;
}

/* ---- training ---- */

/* One pass over the examples; returns the mean loss met on the way. */
static double pass(const struct orrery_examples *x, struct model *m, float rate, float lambda) {
    const long *start = x->start;
    const int *feature = x->feature;
    const float *value = x->value, *label = x->label;
    float *w = m->w, *V = m->V;
    int constant = m->features;
    double loss = 0;
#pragma orrery parallel unordered relax(add : w, V) sync(iterations = 32)
    for (long i = 0; i < x->count; ++i) {
        float sum[K], squares = 0, score = w[constant];
        for (int k = 0; k < K; ++k)
            sum[k] = 0;
        for (long p = start[i]; p < start[i + 1]; ++p) {
            score += w[feature[p]] * value[p];
            for (int k = 0; k < K; ++k) {
                float part = V[(size_t)feature[p] * K + k] * value[p];
                sum[k] += part;
                squares += part * part;
            }
        }
        for (int k = 0; k < K; ++k)
            score += .5f * sum[k] * sum[k];
        score -= .5f * squares;
        loss += loss_of(score, label[i]);
        float g = (label[i] > 0 ? 1 : 0) - 1 / (1 + expf(-score));
        w[constant] += rate * g;
        for (long p = start[i]; p < start[i + 1]; ++p) {
            w[feature[p]] += rate * (g * value[p] - lambda * w[feature[p]]);
            for (int k = 0; k < K; ++k) {
                float v = V[(size_t)feature[p] * K + k];
                float slope = value[p] * (sum[k] - v * value[p]);
                V[(size_t)feature[p] * K + k] += rate * (g * slope - lambda * v);
            }
        }
    }
    return loss / (double)x->count;
}

static void train(const struct settings *s, const struct orrery_examples *x,
                  const struct orrery_examples *test) {
    struct model m = start(x->features, (uint64_t)s->seed);
    double correct = NAN;
    struct report report = {.quiet = s->quiet};
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double begin = clock_seconds();
        double loss = pass(x, &m, (float)s->rate, (float)s->lambda);
        double seconds = clock_seconds() - begin;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        report_pass(&report, loss, wanted ? mean_loss(&m, test, &correct) : NAN, seconds);
    }
    if (!s->quiet)
        printf("%.4f of the held-out examples are told apart\n", correct);
    report_end(&report);
    if (s->output) {
        struct orrery_model_array arrays[] = {
            model_array("w", ORRERY_NPY_FLOAT, m.w, m.features + 1, 1),
            model_array("V", ORRERY_NPY_FLOAT, m.V, m.features, K)};
        model_save(s->output, 2, arrays);
    }
    free(m.w);
    free(m.V);
}

int main(int argc, char **argv) {
    struct settings s = {.epochs = 10, .rate = .002, .lambda = 1e-4, .held_out = .1, .seed = 1};
    const char *path =
        options_parse(argc, argv, "fm [options] EXAMPLES", sizeof table / sizeof *table, table, &s);
    if (!path) {
        options_usage(stderr, "fm [options] EXAMPLES", sizeof table / sizeof *table, table);
        return 2;
    }
    struct orrery_examples x = read_examples(path);
    struct orrery_examples test = s.test ? read_examples(s.test) : split(&x, s.held_out);
    if (!s.quiet)
        printf("%ld examples, %ld entries, %ld held out, %d features\n", x.count, x.entries,
               test.count, x.features);
    train(&s, &x, &test);
    orrery_free_examples(&x);
    orrery_free_examples(&test);
    return 0;
}
