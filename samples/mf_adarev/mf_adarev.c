/*
 * Matrix factorization with one rate per number. Where every update sees the one before it the
 * rates are AdaGrad's; with --delayed they are those of AdaptiveRevision (McMahan, Streeter,
 * "Delay-tolerant algorithms for asynchronous distributed online learning", NIPS 2014), which takes
 * back what was too large in updates that did not know of each other.
 *
 * Without Orrery nothing is delayed: there --delayed means gradient descent with one common rate.
 *
 * Build: cc -O3 mf_adarev.c -o mf_adarev -lorrery-load -lm   or   orrery-cc -O3 mf_adarev.c -o ...
 */
#include "../common/data.h"

/* Without Orrery the two pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct settings {
    int rank, epochs, delayed, batches, seed, quiet, no_eval;
    double rate, common, lambda, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rank", OPTION_INT, AT(rank), 1, 4096, "K: numbers per row and column (32)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the entries (20)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate, divided by each number's own (0.2)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (0.02)"},
    {"--delayed", OPTION_FLAG, AT(delayed), 0, 1, "updates wait for the end of the batch"},
    {"--batches", OPTION_INT, AT(batches), 1, 1e6, "of a pass, when delayed (20)"},
    {"--common", OPTION_REAL, AT(common), 1e-9, 1e6, "rate without Orrery when delayed (0.01)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the entries held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial values, what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out error at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.W.npy, PATH.H.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the model ---- */

/*
 * Rows of K numbers for the rows and columns of the matrix, and for each number the sum of its
 * squared gradients: those of an immediate update.
 */
struct model {
    float *W, *H, *SW, *SH;
};

static float *draw(size_t count, double scale, uint64_t seed) {
    float *x = make(NULL, count, sizeof *x);
    for (size_t i = 0; i < count; ++i)
        x[i] = (float)(scale * (.5 + uniform(seed, i)));
    return x;
}

static float *ones(size_t count) {
    float *x = make(NULL, count, sizeof *x);
    for (size_t i = 0; i < count; ++i)
        x[i] = 1;
    return x;
}

static struct model start(const struct settings *s, const struct orrery_ratings *data) {
    size_t K = (size_t)s->rank, rows = (size_t)data->rows, columns = (size_t)data->columns;
    double sum = 0;
    for (long n = 0; n < data->count; ++n)
        sum += data->entry[n].value;
    double scale = sqrt(fabs(sum) / (double)data->count / (double)K);
    return (struct model){draw(rows * K, scale, (uint64_t)s->seed),
                          draw(columns * K, scale, (uint64_t)s->seed + 1), ones(rows * K),
                          ones(columns * K)};
}

static double held_out_rmse(const struct orrery_rating *r, long count, const struct model *m,
                            int K) {
    double sum = 0;
    for (long n = 0; n < count; ++n) {
        const float *w = m->W + (size_t)r[n].row * (size_t)K;
        const float *h = m->H + (size_t)r[n].column * (size_t)K;
        double e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= (double)w[k] * h[k];
        sum += e * e;
    }
    return count ? sqrt(sum / (double)count) : NAN;
}

/* ---- training, every update at once ---- */

static double pass(const struct orrery_rating *r, long count, struct model *m,
                   const struct settings *s) {
    float *W = m->W, *H = m->H, *SW = m->SW, *SH = m->SH;
    float rate = (float)s->rate, lambda = (float)s->lambda;
    int K = s->rank;
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        float *w = W + (size_t)r[n].row * K, *h = H + (size_t)r[n].column * K;
        float *sw = SW + (size_t)r[n].row * K, *sh = SH + (size_t)r[n].column * K;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float gw = e * h[k] - lambda * w[k], gh = e * w[k] - lambda * h[k];
            sw[k] += gw * gw;
            sh[k] += gh * gh;
            w[k] += rate * gw / sqrtf(sw[k]);
            h[k] += rate * gh / sqrtf(sh[k]);
        }
    }
    return loss;
}

/* ---- training, updates at the end of a batch ---- */

/*
 * What is known of a number: the sum of all its gradients; what that was at the start of the last
 * batch that changed it; the sum of squares, as if gradients had come one after the other; the most
 * that this ever was; and which batch that was.
 */
struct revision {
    float sum, seen, squares, most;
    int batch;
};

static struct revision *of_W, *of_H;
static float common, step;
static int batch; /* the present one */

void revise_W(float *x, float update, long i);
void revise_H(float *x, float update, long i);

/* Algorithm 3 of the paper; `unseen`:
 * what came in this batch before, and the update's author had not seen. */
void revise_W(float *x, float update, long i) {
    struct revision r = of_W[i];
    float g = update / common, seen = r.batch == batch ? r.seen : r.sum;
    float unseen = r.sum - seen, before = step / sqrtf(r.most);
    float squares = r.squares + g * g + 2 * g * unseen;
    float most = squares > r.most ? squares : r.most, now = step / sqrtf(most);
    *x += now * g - (before - now) * unseen;
    of_W[i] = (struct revision){r.sum + g, seen, squares, most, batch};
}

void revise_H(float *x, float update, long i) {
    struct revision r = of_H[i];
    float g = update / common, seen = r.batch == batch ? r.seen : r.sum;
    float unseen = r.sum - seen, before = step / sqrtf(r.most);
    float squares = r.squares + g * g + 2 * g * unseen;
    float most = squares > r.most ? squares : r.most, now = step / sqrtf(most);
    *x += now * g - (before - now) * unseen;
    of_H[i] = (struct revision){r.sum + g, seen, squares, most, batch};
}

static struct revision *start_revisions(size_t count) {
    struct revision *r = make(NULL, count, sizeof *r);
    for (size_t i = 0; i < count; ++i)
        r[i] = (struct revision){.squares = 1, .most = 1};
    return r;
}

/* One batch, the entries [from, to); returns the sum of squared errors. */
static double delayed_batch(const struct orrery_rating *r, long from, long to, struct model *m,
                            const struct settings *s) {
    float *W = m->W, *H = m->H;
    float rate = (float)s->common, lambda = (float)s->lambda;
    int K = s->rank;
    double loss = 0;
    ++batch;
#pragma orrery parallel unordered buffer(W : revise_W) buffer(H : revise_H)
    for (long n = from; n < to; ++n) {
        float *w = W + (size_t)r[n].row * K, *h = H + (size_t)r[n].column * K;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float wk = w[k], hk = h[k];
            w[k] += rate * (e * hk - lambda * wk);
            h[k] += rate * (e * wk - lambda * hk);
        }
    }
    return loss;
}

static double delayed_pass(const struct orrery_rating *r, long count, struct model *m,
                           const struct settings *s) {
    double loss = 0;
    for (long b = 0; b < s->batches; ++b)
        loss += delayed_batch(r, count * b / s->batches, count * (b + 1) / s->batches, m, s);
    return loss;
}

/* Moves the entries that are held out behind the others; returns how many stay. */
static long split(struct orrery_ratings *data, double fraction, uint64_t seed) {
    long kept = 0;
    for (long n = 0; n < data->count; ++n) {
        struct orrery_rating entry = data->entry[n];
        if (uniform(seed, (uint64_t)n) < fraction)
            continue;
        data->entry[n] = data->entry[kept];
        data->entry[kept++] = entry;
    }
    return kept;
}

static void train(const struct settings *s, const struct orrery_ratings *data, long kept) {
    struct model m = start(s, data);
    struct report report = {.quiet = s->quiet};
    of_W = start_revisions((size_t)data->rows * (size_t)s->rank);
    of_H = start_revisions((size_t)data->columns * (size_t)s->rank);
    common = (float)s->common;
    step = (float)s->rate;
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        double begin = clock_seconds();
        double loss =
            s->delayed ? delayed_pass(data->entry, kept, &m, s) : pass(data->entry, kept, &m, s);
        double seconds = clock_seconds() - begin;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        report_pass(&report, sqrt(loss / (double)kept),
                    wanted ? held_out_rmse(data->entry + kept, data->count - kept, &m, s->rank)
                           : NAN,
                    seconds);
    }
    report_end(&report);
    if (s->output) {
        struct orrery_model_array arrays[] = {
            model_array("W", ORRERY_NPY_FLOAT, m.W, data->rows, s->rank),
            model_array("H", ORRERY_NPY_FLOAT, m.H, data->columns, s->rank)};
        model_save(s->output, 2, arrays);
    }
    free(m.W);
    free(m.H);
    free(m.SW);
    free(m.SH);
    free(of_W);
    free(of_H);
}

int main(int argc, char **argv) {
    struct settings s = {.rank = 32,
                         .epochs = 20,
                         .batches = 20,
                         .seed = 1,
                         .rate = .2,
                         .common = .01,
                         .lambda = .02,
                         .held_out = .1};
    const char *path = options_parse(argc, argv, "mf_adarev [options] RATINGS",
                                     sizeof table / sizeof *table, table, &s);
    struct orrery_ratings data;
    if (!path) {
        options_usage(stderr, "mf_adarev [options] RATINGS", sizeof table / sizeof *table, table);
        return 2;
    }
    loaded(orrery_load_ratings(path, &data));
    long kept = split(&data, s.held_out, (uint64_t)s.seed + 2);
    if (kept == 0)
        data_empty(path, "entries");
    if (!s.quiet)
        printf("%ld entries, %ld held out, %d rows, %d columns, rank %d\n", kept, data.count - kept,
               data.rows, data.columns, s.rank);
    train(&s, &data, kept);
    free(data.entry);
    return 0;
}
