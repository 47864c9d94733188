/*
 * A network of three hidden layers that tells kinds of things apart, learned in one of two ways:
 *
 *  - by batches: the gradients of a batch are summed through all layers, then the weights take one
 *    step with momentum;
 *  - one example after the other (--greedy): every layer has a classifier of its own and learns
 *    from that alone, so no layer waits for what a later one has to say (Belilovsky, Eickenberg,
 *    Oyallon, "Decoupled greedy learning of CNNs", ICML 2020).
 *
 * A file has a row of numbers per thing, the last one its kind, from 1 on.
 *
 * Build: cc -O3 mlp.c -o mlp -lorrery-load -lm     or     orrery-cc -O3 mlp.c -o mlp -lm
 */
#include "../common/data.h"

/* Without Orrery the two pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { INPUTS = 54, WIDTH = 32, KINDS = 7 };

struct settings {
    int epochs, batch, greedy, seed, quiet, no_eval;
    double rate, momentum, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the rows (20)"},
    {"--greedy", OPTION_FLAG, AT(greedy), 0, 1, "a classifier per layer, row after row"},
    {"--batch", OPTION_INT, AT(batch), 1, 1e6, "rows of a batch (128)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.1; --greedy: 0.02)"},
    {"--momentum", OPTION_REAL, AT(momentum), 0, .999, "of the steps (0.9)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the rows held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial weights and of the order (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.first.npy ..."},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the data: columns with mean 0 and variance 1, kinds from 0 ---- */

struct rows {
    long count;
    float (*x)[INPUTS];
    int *kind;
};

static void check_rows(const char *path, const struct orrery_table *t) {
    if (t->rows == 0 || t->columns != INPUTS + 1) {
        fprintf(stderr, "%s: error: no rows of %d numbers\n", path, INPUTS + 1);
        exit(1);
    }
    for (long i = 0; i < t->rows; ++i) {
        float kind = t->value[i * t->columns + INPUTS];
        if (kind < 1 || kind > KINDS || kind != floorf(kind)) {
            fprintf(stderr, "%s: error: row %ld: the kind is not from 1 to %d\n", path, i + 1,
                    KINDS);
            exit(1);
        }
    }
}

static void standardize(struct orrery_table *t) {
    for (int k = 0; k < INPUTS; ++k) {
        double sum = 0, squares = 0;
        for (long i = 0; i < t->rows; ++i) {
            double v = t->value[i * t->columns + k];
            sum += v;
            squares += v * v;
        }
        double mean = sum / (double)t->rows, spread = squares / (double)t->rows - mean * mean;
        for (long i = 0; i < t->rows; ++i) {
            float *v = &t->value[i * t->columns + k];
            *v = spread > 1e-12 ? (float)((*v - mean) / sqrt(spread)) : 0;
        }
    }
}

/* The rows in a random order. */
static struct rows read_rows(const char *path, uint64_t seed) {
    struct orrery_table t;
    loaded(orrery_load_table(path, &t));
    check_rows(path, &t);
    standardize(&t);
    struct rows rows = {t.rows, make(NULL, (size_t)t.rows, sizeof *rows.x),
                        make(NULL, (size_t)t.rows, sizeof *rows.kind)};
    long *order = make(NULL, (size_t)t.rows, sizeof *order);
    for (long i = 0; i < t.rows; ++i) {
        long j = (long)(uniform(seed, (uint64_t)i) * (double)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    for (long i = 0; i < t.rows; ++i) {
        const float *from = t.value + order[i] * t.columns;
        memcpy(rows.x[i], from, sizeof *rows.x);
        rows.kind[i] = (int)from[INPUTS] - 1;
    }
    free(order);
    free(t.value);
    return rows;
}

/* ---- the network ---- */

/* A layer's weights, W[j][k] from input k, and those of a classifier on top of it; but for --greedy
 * only the last layer's is used. The first layer has the most inputs. */
struct layer {
    float W[WIDTH][INPUTS], b[WIDTH], V[KINDS][WIDTH], c[KINDS];
};

enum { NUMBERS = sizeof(struct layer) / sizeof(float) };

static struct layer first, second, third;
static struct layer sum1, sum2, sum3;       /* of a batch's gradients */
static struct layer speed1, speed2, speed3; /* of the weights */

/* He's initial values: uniform with variance 2 / inputs. */
static void start_layer(struct layer *l, int inputs, uint64_t seed) {
    memset(l, 0, sizeof *l);
    for (int j = 0; j < WIDTH; ++j)
        for (int k = 0; k < inputs; ++k)
            l->W[j][k] =
                (float)((2 * uniform(seed, (uint64_t)(j * INPUTS + k)) - 1) * sqrt(6. / inputs));
}

/* What a layer makes of its input. */
static void forward(const struct layer *l, int inputs, const float *x, float *y) {
    for (int j = 0; j < WIDTH; ++j) {
        float sum = l->b[j];
        for (int k = 0; k < inputs; ++k)
            sum += l->W[j][k] * x[k];
        y[j] = sum > 0 ? sum : 0;
    }
}

/* The kinds' probabilities. */
static void classify(const struct layer *l, const float *h, float *p) {
    float most = -INFINITY, all = 0;
    for (int r = 0; r < KINDS; ++r) {
        p[r] = l->c[r];
        for (int j = 0; j < WIDTH; ++j)
            p[r] += l->V[r][j] * h[j];
        most = p[r] > most ? p[r] : most;
    }
    for (int r = 0; r < KINDS; ++r)
        all += p[r] = expf(p[r] - most);
    for (int r = 0; r < KINDS; ++r)
        p[r] /= all;
}

static double held_out_loss(const struct rows *rows, long from, double *correct) {
    double loss = 0, right = 0;
    for (long i = from; i < rows->count; ++i) {
        float h1[WIDTH], h2[WIDTH], h3[WIDTH], p[KINDS];
        int best = 0;
        forward(&first, INPUTS, rows->x[i], h1);
        forward(&second, WIDTH, h1, h2);
        forward(&third, WIDTH, h2, h3);
        classify(&third, h3, p);
        for (int r = 1; r < KINDS; ++r)
            best = p[r] > p[best] ? r : best;
        right += best == rows->kind[i];
        loss -= log(p[rows->kind[i]] + 1e-30);
    }
    *correct = right / (double)(rows->count - from);
    return loss / (double)(rows->count - from);
}

/* ---- training by batches ---- */

/* Adds up the gradients of the rows [from, to); returns the sum of their losses. */
static double batch(const struct rows *rows, long from, long to) {
    float(*x)[INPUTS] = rows->x;
    const int *kind = rows->kind;
    double loss = 0;
#pragma orrery parallel unordered grid(8, 1)
    for (long i = from; i < to; ++i) {
        float h1[WIDTH], h2[WIDTH], h3[WIDTH], p[KINDS], e1[WIDTH], e2[WIDTH], e3[WIDTH];
        forward(&first, INPUTS, x[i], h1);
        forward(&second, WIDTH, h1, h2);
        forward(&third, WIDTH, h2, h3);
        classify(&third, h3, p);
        loss -= logf(p[kind[i]] + 1e-30f);
        for (int j = 0; j < WIDTH; ++j)
            e3[j] = e2[j] = e1[j] = 0;
        for (int r = 0; r < KINDS; ++r) {
            float e = p[r] - (r == kind[i] ? 1.f : 0.f);
            sum3.c[r] += e;
            for (int j = 0; j < WIDTH; ++j) {
                sum3.V[r][j] += e * h3[j];
                e3[j] += h3[j] > 0 ? e * third.V[r][j] : 0;
            }
        }
        for (int j = 0; j < WIDTH; ++j) {
            sum3.b[j] += e3[j];
            for (int k = 0; k < WIDTH; ++k) {
                sum3.W[j][k] += e3[j] * h2[k];
                e2[k] += h2[k] > 0 ? e3[j] * third.W[j][k] : 0;
            }
        }
        for (int j = 0; j < WIDTH; ++j) {
            sum2.b[j] += e2[j];
            for (int k = 0; k < WIDTH; ++k) {
                sum2.W[j][k] += e2[j] * h1[k];
                e1[k] += h1[k] > 0 ? e2[j] * second.W[j][k] : 0;
            }
        }
        for (int j = 0; j < WIDTH; ++j) {
            sum1.b[j] += e1[j];
            for (int k = 0; k < INPUTS; ++k)
                sum1.W[j][k] += e1[j] * x[i][k];
        }
    }
    return loss;
}

/* A step with momentum; the sums are 0 again. */
static void step(struct layer *l, struct layer *sum, struct layer *speed, float rate,
                 float momentum) {
    float *w = &l->W[0][0], *g = &sum->W[0][0], *v = &speed->W[0][0];
    for (int i = 0; i < NUMBERS; ++i) {
        v[i] = momentum * v[i] - rate * g[i];
        w[i] += v[i];
        g[i] = 0;
    }
}

static double batch_pass(const struct rows *rows, long count, const struct settings *s,
                         float rate) {
    float momentum = (float)s->momentum;
    double loss = 0;
    for (long from = 0; from < count; from += s->batch) {
        long to = from + s->batch < count ? from + s->batch : count;
        loss += batch(rows, from, to);
        step(&first, &sum1, &speed1, rate / (float)(to - from), momentum);
        step(&second, &sum2, &speed2, rate / (float)(to - from), momentum);
        step(&third, &sum3, &speed3, rate / (float)(to - from), momentum);
    }
    return loss;
}

/* ---- training layer by layer, example by example ---- */

/* One step of a layer and its classifier; h: what the layer makes of x. Returns the loss. */
static double learn(struct layer *l, int inputs, const float *x, int kind, float rate, float *h) {
    float p[KINDS], e[WIDTH];
    forward(l, inputs, x, h);
    classify(l, h, p);
    for (int j = 0; j < WIDTH; ++j)
        e[j] = 0;
    for (int r = 0; r < KINDS; ++r) {
        float g = p[r] - (r == kind ? 1.f : 0.f);
        l->c[r] -= rate * g;
        for (int j = 0; j < WIDTH; ++j) {
            e[j] += h[j] > 0 ? g * l->V[r][j] : 0;
            l->V[r][j] -= rate * g * h[j];
        }
    }
    for (int j = 0; j < WIDTH; ++j) {
        l->b[j] -= rate * e[j];
        for (int k = 0; k < inputs; ++k)
            l->W[j][k] -= rate * e[j] * x[k];
    }
    return -logf(p[kind] + 1e-30f);
}

/* Returns the sum of the last layer's losses. */
static double greedy_pass(const struct rows *rows, long count, float rate) {
    float(*x)[INPUTS] = rows->x;
    const int *kind = rows->kind;
    double loss = 0;
#pragma orrery parallel
    for (long i = 0; i < count; ++i) {
        float h1[WIDTH], h2[WIDTH], h3[WIDTH];
        learn(&first, INPUTS, x[i], kind[i], rate, h1);
        learn(&second, WIDTH, h1, kind[i], rate, h2);
        loss += learn(&third, WIDTH, h2, kind[i], rate, h3);
    }
    return loss;
}

static void train(const struct settings *s, const struct rows *rows) {
    long count = rows->count - (long)(s->held_out * (double)rows->count);
    double correct = NAN, rate0 = s->rate > 0 ? s->rate : s->greedy ? .02 : .1;
    struct report report = {.quiet = s->quiet};
    start_layer(&first, INPUTS, (uint64_t)s->seed);
    start_layer(&second, WIDTH, (uint64_t)s->seed + 1);
    start_layer(&third, WIDTH, (uint64_t)s->seed + 2);
    if (!s->quiet)
        printf("%ld rows, %ld held out\n", count, rows->count - count);
    for (int epoch = 0; epoch < s->epochs; ++epoch) {
        float rate = (float)(rate0 / (1 + .1 * epoch));
        double begin = clock_seconds();
        double loss = s->greedy ? greedy_pass(rows, count, rate) : batch_pass(rows, count, s, rate);
        double seconds = clock_seconds() - begin;
        int wanted = !s->no_eval || epoch + 1 == s->epochs;
        report_pass(&report, loss / (double)count,
                    wanted ? held_out_loss(rows, count, &correct) : NAN, seconds);
    }
    if (!s->quiet)
        printf("%.4f of the held-out rows are told apart\n", correct);
    report_end(&report);
    if (s->output) {
        struct orrery_model_array layers[] = {
            model_array("first", ORRERY_NPY_FLOAT, &first, NUMBERS, 1),
            model_array("second", ORRERY_NPY_FLOAT, &second, NUMBERS, 1),
            model_array("third", ORRERY_NPY_FLOAT, &third, NUMBERS, 1)};
        model_save(s->output, 3, layers);
    }
}

int main(int argc, char **argv) {
    struct settings s = {.epochs = 20, .batch = 128, .momentum = .9, .held_out = .1, .seed = 1};
    const char *path =
        options_parse(argc, argv, "mlp [options] ROWS", sizeof table / sizeof *table, table, &s);
    if (!path) {
        options_usage(stderr, "mlp [options] ROWS", sizeof table / sizeof *table, table);
        return 2;
    }
    struct rows rows = read_rows(path, (uint64_t)s.seed + 10);
    train(&s, &rows);
    free(rows.x);
    free(rows.kind);
    return 0;
}
