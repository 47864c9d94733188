/*
 * samples/mf/mf.c in another everyday shape: the items are the *second* subscript of a
 * table of pointers, H[k][item] with `float **H`, each line allocated on its own.
 * Only the plain rule. The same model as mf.c writes.
 */
#include "factors.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

static double held_out_of_table(const struct ratings *test, const float *W, float **H, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        float e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[(long)test->entry[n].user * K + k] * H[k][test->entry[n].item];
        sum += e * e;
    }
    return sqrt(sum / test->count);
}

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test) {
    int K = options->rank;
    float rate = options->rate, lambda = options->lambda;
    double scale = initial_scale(options, data);
    float *W = make_factors(options, scale, 0, data->users);
    int items = data->items;
    float **H = make(NULL, K, sizeof *H);
    for (int k = 0; k < K; ++k) {
        H[k] = make(NULL, items, sizeof *H[k]);
        for (int i = 0; i < items; ++i)
            H[k][i] = initial(options, scale, 1, i, k);
    }
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
        double rmse = wants_eval(options, test, epoch) ? held_out_of_table(test, W, H, K) : NAN;
        report_pass(&report, sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
    FILE *file = model_begin(options, data);
    for (long u = 0; file && u < data->users; ++u)
        save_row(file, W + u * K, 1, K);
    for (long i = 0; file && i < data->items; ++i)
        for (int k = 0; k < K; ++k)
            save_row(file, &H[k][i], 1, 1);
    if (file)
        model_close(options->output, file);
    free(W);
    for (int k = 0; k < K; ++k)
        free(H[k]);
    free(H);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "table_columns [options] RATINGS");
    ratings_load(&options, &data, &test);
    train(&options, &data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
