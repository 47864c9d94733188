/*
 * samples/mf/mf.c in another everyday shape: factors in double.
 * Only the plain rule.
 */
#include "shapes.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static double *make_factors(const struct settings *options, double scale, int side, long rows) {
    double *factors = make(NULL, rows * options->rank, sizeof *factors);
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < options->rank; ++k)
            factors[i * options->rank + k] = initial(options, scale, side, i, k);
    return factors;
}

static double held_out_rmse(const struct ratings *test, const double *W, const double *H, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        double e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[(long)test->entry[n].user * K + k] * H[(long)test->entry[n].item * K + k];
        sum += e * e;
    }
    return sqrt(sum / test->count);
}

static void save_row(FILE *file, const double *at, long step, int K) {
    for (int k = 0; k < K; ++k) {
        float value = (float)at[k * step];
        fwrite(&value, sizeof value, 1, file);
    }
}

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test) {
    int K = options->rank;
    float rate = options->rate, lambda = options->lambda;
    double scale = initial_scale(options, data);
    double *W = make_factors(options, scale, 0, data->users);
    double *H = make_factors(options, scale, 1, data->items);
    const struct rating *r = data->entry;
    struct report report = {.quiet = options->quiet, .train = NAN, .held_out = NAN};

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            double *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
            double e = r[n].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                double wk = w[k];
                w[k] += rate * (e * h[k] - lambda * wk);
                h[k] += rate * (e * wk - lambda * h[k]);
            }
        }
        double seconds = clock_seconds() - start;
        double rmse = wants_eval(options, test, epoch) ? held_out_rmse(test, W, H, K) : NAN;
        report_pass(&report, sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
    FILE *file = model_begin(options, data);
    for (long u = 0; file && u < data->users; ++u)
        save_row(file, W + u * K, 1, K);
    for (long i = 0; file && i < data->items; ++i)
        save_row(file, H + i * K, 1, K);
    if (file)
        model_close(options->output, file);
    free(W);
    free(H);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "double [options] RATINGS");
    ratings_load(&options, &data, &test);
    train(&options, &data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
