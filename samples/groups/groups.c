/*
 * One model per group: for each name a ridge regression of its own, how often the name was given in
 * a state and in a year. A model is an offset per state and a broken line over the years, learned
 * by stochastic gradient descent from the group's entries alone.
 *
 * Lines `group category position value`, ids from 1 (the coordinate form of tensors).
 *
 * Build: cc -O3 groups.c -o groups -lorrery-load -lm   or   orrery-cc -O3 groups.c -o groups -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { CATEGORIES = 64, KNOTS = 13 }; /* of a model: at most, and of the line over the years */

/* share: 1 over how many of its group's entries have its category. */
struct entry {
    int category, position;
    float value, share;
};

/* The entries of group g: entry[n], begin[g] <= n < begin[g + 1], in the order of the file. */
struct groups {
    int groups, categories, positions;
    long count;
    long *begin;
    struct entry *entry;
};

struct settings {
    int rounds, passes, seed, quiet, no_eval;
    double rate, lambda, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rounds", OPTION_INT, AT(rounds), 0, 1e6, "reports on all groups (10)"},
    {"--passes", OPTION_INT, AT(passes), 1, 1e6, "over a group's entries, in each round (20)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 10, "learning rate of the first round (0.1)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 10, "penalty on a model's squares (0.2)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the entries held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out error at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.weights.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the data ---- */

static int chosen(const struct settings *s, long n, int held_out) {
    return (uniform((uint64_t)s->seed, (uint64_t)n) < s->held_out) == held_out;
}

/* An offset is penalized once in all, a part of it whenever an entry comes by. */
static void share_penalty(struct entry *entry, long count) {
    int times[CATEGORIES] = {0};
    for (long n = 0; n < count; ++n)
        ++times[entry[n].category];
    for (long n = 0; n < count; ++n)
        entry[n].share = 1 / (float)times[entry[n].category];
}

/* The entries that learn, or those that are held out, group after group. */
static struct groups sort_entries(const struct orrery_tensor *x, const struct settings *s,
                                  int held_out) {
    struct groups g = {(int)x->size[0], (int)x->size[1], (int)x->size[2], 0, NULL, NULL};
    size_t room = (size_t)g.groups + 1;
    g.begin = make(NULL, room, sizeof *g.begin);
    g.entry = make(NULL, (size_t)x->count, sizeof *g.entry);
    memset(g.begin, 0, room * sizeof *g.begin);
    for (long n = 0; n < x->count; ++n)
        g.begin[x->index[3 * n]] += chosen(s, n, held_out);
    for (int i = 0; i <= g.groups; ++i) {
        long here = g.begin[i];
        g.begin[i] = g.count;
        g.count += i < g.groups ? here : 0;
    }
    for (long n = 0; n < x->count; ++n)
        if (chosen(s, n, held_out))
            g.entry[g.begin[x->index[3 * n]]++] =
                (struct entry){x->index[3 * n + 1], x->index[3 * n + 2], x->value[n], 0};
    for (int i = g.groups; i > 0; --i)
        g.begin[i] = g.begin[i - 1];
    g.begin[0] = 0;
    for (int i = 0; i < g.groups; ++i)
        share_penalty(g.entry + g.begin[i], g.begin[i + 1] - g.begin[i]);
    return g;
}

/* ---- the model ---- */

/* What a group has of its own: a constant, the states' offsets from it, the line over the years. */
struct model {
    float constant, offset[CATEGORIES], line[KNOTS];
};

/* A position as the knot before it and how far it is on the way to the next one. */
struct between {
    int knot;
    float part;
};

static struct between place(int position, int positions) {
    float at = positions > 1 ? (float)position * (KNOTS - 1) / (float)(positions - 1) : 0;
    int knot = (int)at < KNOTS - 2 ? (int)at : KNOTS - 2;
    struct between b;
    b.knot = knot;
    b.part = at - (float)knot;
    return b;
}

static double held_out_rmse(const struct groups *test, const struct model *models) {
    double sum = 0;
    for (int g = 0; g < test->groups; ++g) {
        const struct model *m = &models[g];
        for (long n = test->begin[g]; n < test->begin[g + 1]; ++n) {
            const struct entry *x = &test->entry[n];
            struct between b = place(x->position, test->positions);
            double e = x->value - (m->constant + m->offset[x->category] +
                                   (1 - b.part) * m->line[b.knot] + b.part * m->line[b.knot + 1]);
            sum += e * e;
        }
    }
    return test->count ? sqrt(sum / (double)test->count) : NAN;
}

/* Every group's constant is its mean at first, the rest 0. */
static struct model *start(const struct groups *data) {
    struct model *models = make(NULL, (size_t)data->groups, sizeof *models);
    memset(models, 0, (size_t)data->groups * sizeof *models);
    for (int g = 0; g < data->groups; ++g) {
        double sum = 0;
        for (long n = data->begin[g]; n < data->begin[g + 1]; ++n)
            sum += data->entry[n].value;
        if (data->begin[g + 1] > data->begin[g])
            models[g].constant = (float)(sum / (double)(data->begin[g + 1] - data->begin[g]));
    }
    return models;
}

/* ---- training ---- */

/* Some passes of every group over its entries; returns the sum of squared errors of the last. The
 * penalty of ridge regression: knots bear it as if all were met equally often. */
static double learn(const struct groups *data, struct model *models, const struct settings *s,
                    float rate) {
    const long *begin = data->begin;
    const struct entry *x = data->entry;
    int groups = data->groups, positions = data->positions, passes = s->passes;
    float lambda = (float)s->lambda;
    double loss = 0;
#pragma orrery parallel unordered
    for (int g = 0; g < groups; ++g) {
        struct model *m = &models[g];
        double squares = 0;
        float knots = lambda * KNOTS / (float)(begin[g + 1] - begin[g]);
        for (int pass = 0; pass < passes; ++pass) {
            squares = 0;
            for (long n = begin[g]; n < begin[g + 1]; ++n) {
                struct between b = place(x[n].position, positions);
                float left = m->line[b.knot], right = m->line[b.knot + 1];
                float offset = m->offset[x[n].category];
                float e = x[n].value - m->constant - offset - (1 - b.part) * left - b.part * right;
                squares += e * e;
                m->constant += rate * e;
                m->offset[x[n].category] += rate * (e - lambda * x[n].share * offset);
                m->line[b.knot] += rate * ((1 - b.part) * e - knots * left);
                m->line[b.knot + 1] += rate * (b.part * e - knots * right);
            }
        }
        loss += squares;
    }
    return loss;
}

static void train(const struct settings *s, const struct groups *data, const struct groups *test) {
    struct model *models = start(data);
    struct report report = {.quiet = s->quiet};
    if (!s->quiet)
        printf("%d groups, %ld entries, %ld held out; the groups' means alone: held-out %.6f\n",
               data->groups, data->count, test->count, held_out_rmse(test, models));
    for (int round = 0; round < s->rounds; ++round) {
        double begin = clock_seconds();
        double loss = learn(data, models, s, (float)(s->rate / (1 + round)));
        double seconds = clock_seconds() - begin;
        int wanted = !s->no_eval || round + 1 == s->rounds;
        report_pass(&report, sqrt(loss / (double)data->count),
                    wanted ? held_out_rmse(test, models) : NAN, seconds);
    }
    report_end(&report);
    if (s->output) {
        struct orrery_model_array weights =
            model_array("weights", ORRERY_NPY_FLOAT, models, data->groups,
                        (long)(sizeof *models / sizeof(float)));
        model_save(s->output, 1, &weights);
    }
    free(models);
}

int main(int argc, char **argv) {
    struct settings s = {
        .rounds = 10, .passes = 20, .seed = 1, .rate = .1, .lambda = .2, .held_out = .1};
    const char *path = options_parse(argc, argv, "groups [options] ENTRIES",
                                     sizeof table / sizeof *table, table, &s);
    struct orrery_tensor x = {0};
    if (!path) {
        options_usage(stderr, "groups [options] ENTRIES", sizeof table / sizeof *table, table);
        return 2;
    }
    loaded(orrery_load_tensor(path, &x));
    if (x.ways != 3 || x.count == 0) {
        fprintf(stderr, "%s: error: no entries of a group, a category and a position\n", path);
        return 1;
    }
    if (x.size[1] > CATEGORIES) {
        fprintf(stderr, "%s: error: %ld categories, more than %d\n", path, x.size[1], CATEGORIES);
        return 1;
    }
    struct groups data = sort_entries(&x, &s, 0), test = sort_entries(&x, &s, 1);
    train(&s, &data, &test);
    free(x.index);
    free(x.value);
    free(data.begin);
    free(data.entry);
    free(test.begin);
    free(test.entry);
    return 0;
}
