/*
 * Three-way tensor factorization (CANDECOMP/PARAFAC) by stochastic gradient descent over the
 * observed cells:
 *   min sum (value - sum_k a[i][k] b[j][k] c[l][k])^2 + lambda (|a[i]|^2 + |b[j]|^2 + |c[l]|^2)
 * with one AdaGrad rate per row: a row that many cells share (a state, a year) takes small steps.
 *
 * Build: cc -O3 cp.c -o cp -lorrery-load -lm     or     orrery-cc -O3 cp.c -o cp -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

struct cell {
    int i, j, l;
    float value;
};

/* `size`: the rows of each factor. */
struct tensor {
    struct cell *cell;
    long count;
    int size[3];
};

struct settings {
    int rank, epochs, seed, quiet, no_eval;
    double rate, lambda, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rank", OPTION_INT, AT(rank), 1, 4096, "K: numbers per row of each factor (16)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the cells (10)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate of a row at its first cell (0.2)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (0.01)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the cells held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of initial values and held-out cells (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out error at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0,
     "PATH.h5, or PATH: PATH.A.npy, PATH.B.npy, PATH.C.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- data ---- */

/* Lines `i j l value`: the coordinate form of FROSTT's tensors, of three ways here. */
static struct tensor read_tensor(const char *path) {
    struct orrery_tensor in;
    loaded(orrery_load_tensor(path, &in));
    if (in.count == 0)
        data_empty(path, "cells");
    if (in.ways != 3) {
        fprintf(stderr, "%s: error: cells of %d ways, expected three\n", path, in.ways);
        exit(1);
    }
    struct tensor out = {.count = in.count, .cell = make(NULL, (size_t)in.count, sizeof *out.cell)};
    for (int way = 0; way < 3; ++way)
        out.size[way] = (int)in.size[way];
    for (long n = 0; n < in.count; ++n) {
        const int *at = in.index + 3 * n;
        out.cell[n] = (struct cell){at[0], at[1], at[2], in.value[n]};
    }
    free(in.index);
    free(in.value);
    return out;
}

/* Puts the cells into a random order, and the last of them aside: returned. */
static struct tensor split(struct tensor *data, double fraction, uint64_t seed) {
    struct tensor held = *data;
    for (long n = data->count - 1; n > 0; --n) {
        long other = (long)(hash(seed, (uint64_t)n) % (uint64_t)(n + 1));
        struct cell one = data->cell[n];
        data->cell[n] = data->cell[other];
        data->cell[other] = one;
    }
    held.count = (long)(fraction * (double)data->count);
    data->count -= held.count;
    held.cell = data->cell + data->count;
    return held;
}

/* ---- the model ---- */

/* The product of three numbers begins at about the mean value over the rank. */
static float *make_factor(const struct settings *settings, const struct tensor *data, int way) {
    size_t n = (size_t)data->size[way] * (size_t)settings->rank;
    float *factor = make(NULL, n, sizeof *factor);
    double sum = 0;
    for (long c = 0; c < data->count; ++c)
        sum += data->cell[c].value;
    double scale = cbrt(fabs(sum / (double)data->count) / settings->rank + 1e-6);
    for (size_t i = 0; i < n; ++i)
        factor[i] =
            (float)(scale * (.5 + uniform((uint64_t)settings->seed + 1, i * 3 + (uint64_t)way)));
    return factor;
}

/* Sums of squared gradients, one per row. */
static float *make_gradients(long rows) {
    float *gradients = make(NULL, (size_t)rows, sizeof *gradients);
    for (long i = 0; i < rows; ++i)
        gradients[i] = 1;
    return gradients;
}

static double held_out_rmse(const struct tensor *test, const float *A, const float *B,
                            const float *C, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        const struct cell *x = &test->cell[n];
        const float *a = A + (size_t)x->i * K, *b = B + (size_t)x->j * K, *c = C + (size_t)x->l * K;
        float e = x->value;
        for (int k = 0; k < K; ++k)
            e -= a[k] * b[k] * c[k];
        sum += e * e;
    }
    return test->count ? sqrt(sum / (double)test->count) : NAN;
}

static void save_model(const struct settings *settings, const struct tensor *data, const float *A,
                       const float *B, const float *C) {
    int K = settings->rank;
    struct orrery_model_array arrays[] = {model_array("A", ORRERY_NPY_FLOAT, A, data->size[0], K),
                                          model_array("B", ORRERY_NPY_FLOAT, B, data->size[1], K),
                                          model_array("C", ORRERY_NPY_FLOAT, C, data->size[2], K)};
    model_save(settings->output, 3, arrays);
}

static void train(const struct settings *settings, const struct tensor *data,
                  const struct tensor *test) {
    const struct cell *x = data->cell;
    long count = data->count;
    int K = settings->rank;
    float rate = (float)settings->rate, lambda = (float)settings->lambda;
    float *A = make_factor(settings, data, 0);
    float *B = make_factor(settings, data, 1);
    float *C = make_factor(settings, data, 2);
    float *GA = make_gradients(data->size[0]), *GB = make_gradients(data->size[1]);
    float *GC = make_gradients(data->size[2]);
    struct report report = {.quiet = settings->quiet, .train = NAN, .held_out = NAN};

    for (int epoch = 0; epoch < settings->epochs; ++epoch) {
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < count; ++n) {
            float *a = A + (size_t)x[n].i * K, *b = B + (size_t)x[n].j * K;
            float *c = C + (size_t)x[n].l * K, e = x[n].value;
            for (int k = 0; k < K; ++k)
                e -= a[k] * b[k] * c[k];
            loss += e * e;
            float rate_a = rate / sqrtf(GA[x[n].i]), rate_b = rate / sqrtf(GB[x[n].j]);
            float rate_c = rate / sqrtf(GC[x[n].l]), sum_a = 0, sum_b = 0, sum_c = 0;
            for (int k = 0; k < K; ++k) {
                float ga = e * b[k] * c[k] - lambda * a[k], gb = e * a[k] * c[k] - lambda * b[k];
                float gc = e * a[k] * b[k] - lambda * c[k];
                a[k] += rate_a * ga;
                b[k] += rate_b * gb;
                c[k] += rate_c * gc;
                sum_a += ga * ga;
                sum_b += gb * gb;
                sum_c += gc * gc;
            }
            GA[x[n].i] += sum_a / K;
            GB[x[n].j] += sum_b / K;
            GC[x[n].l] += sum_c / K;
        }
        double seconds = clock_seconds() - start;
        int wanted = !settings->no_eval || epoch + 1 == settings->epochs;
        report_pass(&report, sqrt(loss / (double)count),
                    wanted ? held_out_rmse(test, A, B, C, K) : NAN, seconds);
    }
    report_end(&report);
    if (settings->output)
        save_model(settings, data, A, B, C);
    free(A);
    free(B);
    free(C);
    free(GA);
    free(GB);
    free(GC);
}

int main(int argc, char **argv) {
    struct settings settings = {
        .rank = 16, .epochs = 10, .rate = .2, .lambda = .01, .held_out = .1, .seed = 1};
    const char *usage = "cp [options] TENSOR", *path;
    int n = sizeof table / sizeof *table;
    path = options_parse(argc, argv, usage, n, table, &settings);
    if (!path) {
        options_usage(stderr, usage, n, table);
        return 2;
    }
    struct tensor data = read_tensor(path);
    struct tensor test = split(&data, settings.held_out, (uint64_t)settings.seed);
    if (!settings.quiet)
        printf("%ld cells, %ld held out, %d x %d x %d, rank %d\n", data.count, test.count,
               data.size[0], data.size[1], data.size[2], settings.rank);
    train(&settings, &data, &test);
    free(data.cell);
    return 0;
}
