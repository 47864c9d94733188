/*
 * samples/mf/mf.c in another everyday shape: parallel arrays, ids counted from 1.
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

static double held_out_rmse(const struct ratings *test, const float *W, const float *H, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        float e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[(long)test->entry[n].user * K + k] * H[(long)test->entry[n].item * K + k];
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
    float *H = make_factors(options, scale, 1, data->items);
    long *u = ratings_alloc(NULL, data->count, sizeof *u);
    int *i = ratings_alloc(NULL, data->count, sizeof *i);
    float *v = ratings_alloc(NULL, data->count, sizeof *v);
    for (long n = 0; n < data->count; ++n) {
        u[n] = data->entry[n].user + 1;
        i[n] = data->entry[n].item + 1;
        v[n] = data->entry[n].value;
    }
    struct train_log log = train_log_start(options);

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double loss = 0, start = train_clock();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            float *w = &W[(u[n] - 1) * K], *h = &H[(i[n] - 1) * K];
            float e = v[n];
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
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
        save_row(file, H + i * K, 1, K);
    if (file)
        train_model_close(options, file);
    free(u);
    free(i);
    free(v);
    free(W);
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
