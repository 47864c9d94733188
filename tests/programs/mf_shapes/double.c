/*
 * samples/mf/mf.c in another everyday shape: factors in double.
 * Only the plain rule.
 */
#define REAL double
#include "factors.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

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
        double rmse = wants_eval(options, test, epoch) ? held_out_rmse(test, W, H, K, K, 1) : NAN;
        report_pass(&report, sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
    save(options, data, W, H, K, 1);
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
