/*
 * samples/mf/mf.c in another everyday shape: the items are the *second* subscript of a
 * table of pointers, H[k][item] with `float **H`, each line allocated on its own.
 * Only the plain rule. The same model as mf.c writes.
 */
#include "train.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static float *make_factors(const struct train_options *options, double scale, int side, long rows) {
    float *factors = ratings_alloc(NULL, rows * options->rank, sizeof *factors);
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < options->rank; ++k)
            factors[i * options->rank + k] = train_initial(options, scale, side, i, k);
    return factors;
}

static double held_out_rmse(const struct ratings *test, const float *W, float **H, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        float e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[(long)test->entry[n].user * K + k] * H[k][test->entry[n].item];
        sum += e * e;
    }
    return sqrt(sum / test->count);
}

static void save_row(FILE *file, const float *at, long step, int K) {
    for (int k = 0; k < K; ++k) {
        float value = at[k * step];
        fwrite(&value, sizeof value, 1, file);
    }
}

static void train(const struct train_options *options, const struct ratings *data,
                  const struct ratings *test) {
    int K = options->rank;
    float rate = options->rate, lambda = options->lambda;
    double scale = train_initial_scale(options, data);
    float *W = make_factors(options, scale, 0, data->users);
    int items = data->items;
    float **H = ratings_alloc(NULL, K, sizeof *H);
    for (int k = 0; k < K; ++k) {
        H[k] = ratings_alloc(NULL, items, sizeof *H[k]);
        for (int i = 0; i < items; ++i)
            H[k][i] = train_initial(options, scale, 1, i, k);
    }
    const struct rating *r = data->entry;
    struct train_log log = train_log_start(options);

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double loss = 0, start = train_clock();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            float *w = W + (size_t)r[n].user * K;
            int item = r[n].item;
            float e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * H[k][item];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * H[k][item] - lambda * wk);
                H[k][item] += rate * (e * wk - lambda * H[k][item]);
            }
        }
        double seconds = train_clock() - start;
        int wanted = train_wants_eval(options, epoch);
        double rmse = wanted && test->count ? held_out_rmse(test, W, H, K) : NAN;
        train_log_epoch(options, &log, loss, data->count, seconds, rmse);
    }
    train_log_end(&log);
    FILE *file = train_model_open(options, data);
    for (long u = 0; file && u < data->users; ++u)
        save_row(file, W + u * K, 1, K);
    for (long i = 0; file && i < data->items; ++i)
        for (int k = 0; k < K; ++k)
            save_row(file, &H[k][i], 1, 1);
    if (file)
        train_model_close(options, file);
    free(W);
    for (int k = 0; k < K; ++k)
        free(H[k]);
    free(H);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct train_options options = train_options_parse(argc, argv);
    train_load(&options, &data, &test);
    train(&options, &data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
