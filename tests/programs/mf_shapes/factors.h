/* What these shapes of samples/mf/mf.c share beside their loops. REAL: the type of the factors. */
#include "shapes.h"

#ifndef REAL
#define REAL float
#endif

static REAL *make_factors(const struct settings *options, double scale, int side, long rows) {
    REAL *factors = make(NULL, rows * options->rank, sizeof *factors);
    for (long i = 0; i < rows; ++i)
        for (int k = 0; k < options->rank; ++k)
            factors[i * options->rank + k] = initial(options, scale, side, i, k);
    return factors;
}

/* Number k of item i is H[i * row + k * step]. */
static inline double held_out_rmse(const struct ratings *test, const REAL *W, const REAL *H, int K,
                                   long row, long step) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        REAL e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[(long)test->entry[n].user * K + k] * H[test->entry[n].item * row + k * step];
        sum += e * e;
    }
    return sqrt(sum / test->count);
}

static void save_row(FILE *file, const REAL *at, long step, int K) {
    for (int k = 0; k < K; ++k) {
        float value = (float)at[k * step];
        fwrite(&value, sizeof value, 1, file);
    }
}

static inline void save(const struct settings *options, const struct ratings *data, const REAL *W,
                        const REAL *H, long row, long step) {
    int K = options->rank;
    FILE *file = model_begin(options, data);
    for (long u = 0; file && u < data->users; ++u)
        save_row(file, W + u * K, 1, K);
    for (long i = 0; file && i < data->items; ++i)
        save_row(file, H + i * row, step, K);
    if (file)
        model_close(options->output, file);
}
