/*
 * samples/mf/mf.c in another everyday shape: the ratings are visited in the order of a
 * permutation array (`i = order[n]`).
 * Only the plain rule. With --shuffle the array is mixed and not the ratings: the same model.
 */
#include "factors.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* 0 .. count-1, mixed in the way ratings_shuffle mixes ratings. */
static long *make_order(long count, int shuffle, uint64_t seed) {
    long *order = make(NULL, count, sizeof *order);
    for (long n = 0; n < count; ++n)
        order[n] = n;
    for (long n = count - 1; n > 0 && shuffle; --n) {
        long other = (long)(hash(seed, (uint64_t)n) % (uint64_t)(n + 1)), one = order[n];
        order[n] = order[other];
        order[other] = one;
    }
    return order;
}

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test, int shuffle) {
    int K = options->rank;
    float rate = options->rate, lambda = options->lambda;
    double scale = initial_scale(options, data);
    float *W = make_factors(options, scale, 0, data->users);
    float *H = make_factors(options, scale, 1, data->items);
    const struct rating *r = data->entry;
    long *order = make_order(data->count, shuffle, options->seed + 1);
    struct report report = {.quiet = options->quiet, .train = NAN, .held_out = NAN};

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            long i = order[n];
            float *w = W + (size_t)r[i].user * K, *h = H + (size_t)r[i].item * K;
            float e = r[i].value;
            for (int k = 0; k < K; ++k)
                e -= w[k] * h[k];
            loss += e * e;
            for (int k = 0; k < K; ++k) {
                float wk = w[k];
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
    free(order);
    free(W);
    free(H);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "permutation [options] RATINGS");
    int shuffle = options.shuffle;
    options.shuffle = 0;
    ratings_load(&options, &data, &test);
    train(&options, &data, &test, shuffle);
    free(data.entry);
    free(test.entry);
    return 0;
}
