/*
 * Matrix factorization by stochastic gradient descent over observed ratings:
 *   min sum (value - w[user] . h[item])^2 + lambda (|w[user]|^2 + |h[item]|^2)
 * Factors in flat arrays. mf_rows.c and mf_structs.c are the same program in two other shapes.
 *
 * Build: cc -O3 mf.c -o mf -lm     or     orrery-cc -O3 mf.c -o mf -lm
 */
#include "train.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static float *make_factors(const struct train_options *options, double scale, int side, long rows) {
    int K = options->rank;
    float *factors = ratings_alloc(NULL, (size_t)rows * K, sizeof *factors);
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < K; ++k)
            factors[i * K + k] = train_initial(options, scale, side, i, k);
    return factors;
}

/* Sums of squared gradients, two per row: LIBMF starts them at 1. */
static float *make_gradients(long rows) {
    float *gradients = ratings_alloc(NULL, (size_t)rows * 2, sizeof *gradients);
    for (long i = 0; i < 2 * rows; ++i)
        gradients[i] = 1;
    return gradients;
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
    return test->unit * sqrt(sum / test->count);
}

static void save_model(const struct train_options *options, const struct ratings *data,
                       const float *W, const float *H) {
    FILE *file = train_model_open(options, data);
    if (!file)
        return;
    fwrite(W, sizeof *W, (size_t)data->users * options->rank, file);
    fwrite(H, sizeof *H, (size_t)data->items * options->rank, file);
    train_model_close(options, file);
}

static void train(const struct train_options *options, const struct ratings *data,
                  const struct ratings *test) {
    const struct rating *r = data->entry;
    int K = options->rank, adaptive = options->adaptive;
    int first = K < TRAIN_FIRST ? K : TRAIN_FIRST;
    float rate = options->rate, lambda = options->lambda / data->unit;
    double scale = train_initial_scale(options, data);
    float *W = make_factors(options, scale, 0, data->users);
    float *H = make_factors(options, scale, 1, data->items);
    float *GW = make_gradients(data->users);
    float *GH = make_gradients(data->items);
    struct train_log log = train_log_start(options);

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        int rest = epoch > 0 ? K - first : 0;
        float late = epoch > 0 ? rate : 0;
        double loss = 0, start = train_clock();
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
                for (int k = 0; k < K; ++k) {
                    float dw = e * h[k] - lambda * w[k], dh = e * w[k] - lambda * h[k];
                    w[k] += (k < first ? rate_w : late_w) * dw;
                    h[k] += (k < first ? rate_h : late_h) * dh;
                    sum_w += k < first ? dw * dw : 0;
                    sum_h += k < first ? dh * dh : 0;
                    late_sum_w += k < first ? 0 : dw * dw;
                    late_sum_h += k < first ? 0 : dh * dh;
                }
                gw[0] += sum_w / first;
                gh[0] += sum_h / first;
                if (rest > 0) {
                    gw[1] += late_sum_w / rest;
                    gh[1] += late_sum_h / rest;
                }
            }
        }
        double seconds = train_clock() - start;
        int wanted = train_wants_eval(options, epoch);
        double rmse = wanted && test->count ? held_out_rmse(test, W, H, K) : NAN;
        train_log_epoch(options, &log, loss * data->unit * data->unit, data->count, seconds, rmse);
    }
    train_log_end(&log);
    train_restore(data, W, (size_t)data->users * K);
    train_restore(data, H, (size_t)data->items * K);
    save_model(options, data, W, H);
    free(W);
    free(H);
    free(GW);
    free(GH);
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
