/*
 * samples/mf/mf.c in another everyday shape: the items are the *second* subscript, H[k][item].
 * Only the plain rule. The same model as mf.c writes.
 */
#include "factors.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test) {
    int K = options->rank;
    float rate = options->rate, lambda = options->lambda;
    double scale = initial_scale(options, data);
    float *W = make_factors(options, scale, 0, data->users);
    int items = data->items;
    float(*H)[items] = make(NULL, K, sizeof *H);
    for (int k = 0; k < K; ++k)
        for (int i = 0; i < items; ++i)
            H[k][i] = initial(options, scale, 1, i, k);
    const struct rating *r = data->entry;
    struct report report = {.quiet = options->quiet, .train = NAN, .held_out = NAN};

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double loss = 0, start = clock_seconds();
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
        double seconds = clock_seconds() - start;
        double rmse =
            wants_eval(options, test, epoch) ? held_out_rmse(test, W, &H[0][0], K, 1, items) : NAN;
        report_pass(&report, sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
    save(options, data, W, &H[0][0], 1, items);
    free(W);
    free(H);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "transposed [options] RATINGS");
    ratings_load(&options, &data, &test);
    train(&options, &data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
