/*
 * The program of mf.c with its factors in rows: `float **W`, each row allocated on its own.
 *
 * Build: cc -O3 mf_rows.c -o mf_rows -lorrery-load -lm     or     orrery-cc -O3 mf_rows.c -o ...
 */
#include "shapes.h"

/* Factors of the users (W) and the items (H), and their sums of squared gradients, two per row. */
struct model {
    int users, items, rank;
    float **W, **H;
    float *GW, *GH;
};

static float **make_rows(const struct settings *options, double scale, int side, long rows) {
    float **table = make(NULL, rows, sizeof *table);
    for (long i = 0; i < rows; ++i) {
        table[i] = make(NULL, options->rank, sizeof **table);
        for (int k = 0; k < options->rank; ++k)
            table[i][k] = initial(options, scale, side, i, k);
    }
    return table;
}

static float *make_gradients(long rows) {
    float *gradients = make(NULL, (size_t)rows * 2, sizeof *gradients);
    for (long i = 0; i < 2 * rows; ++i)
        gradients[i] = 1;
    return gradients;
}

static struct model make_model(const struct settings *options, const struct ratings *data) {
    struct model m = {.users = data->users, .items = data->items, .rank = options->rank};
    double scale = initial_scale(options, data);
    m.W = make_rows(options, scale, 0, m.users);
    m.H = make_rows(options, scale, 1, m.items);
    m.GW = make_gradients(m.users);
    m.GH = make_gradients(m.items);
    return m;
}

static void free_model(struct model *m) {
    for (int u = 0; u < m->users; ++u)
        free(m->W[u]);
    for (int i = 0; i < m->items; ++i)
        free(m->H[i]);
    free(m->W);
    free(m->H);
    free(m->GW);
    free(m->GH);
}

/* One AdaGrad step of the numbers from..to-1 of both rows. gw, gh: sums of squared gradients. */
static void step(float *w, float *h, int from, int to, float e, float rate, float lambda, float *gw,
                 float *gh) {
    float rate_w = rate / sqrtf(*gw), rate_h = rate / sqrtf(*gh);
    float sum_w = 0, sum_h = 0;
    for (int k = from; k < to; ++k) {
        float dw = e * h[k] - lambda * w[k], dh = e * w[k] - lambda * h[k];
        w[k] += rate_w * dw;
        h[k] += rate_h * dh;
        sum_w += dw * dw;
        sum_h += dh * dh;
    }
    *gw += sum_w / (to - from);
    *gh += sum_h / (to - from);
}

/*
 * One pass over r[0 .. count-1]; returns the sum of the squared errors met on the way. With
 * adaptive rates the first pass moves the first numbers of a row only.
 */
static double train_pass(const struct rating *r, long count, float **W, float **H, float *GW,
                         float *GH, int K, float rate, float lambda, int adaptive, int pass) {
    int first = K < FIRST ? K : FIRST, rest = pass > 0 ? K - first : 0;
    double loss = 0;
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n) {
        int u = r[n].user, i = r[n].item;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= W[u][k] * H[i][k];
        loss += e * e;
        if (!adaptive) {
            for (int k = 0; k < K; ++k) {
                float wk = W[u][k];
                W[u][k] += rate * (e * H[i][k] - lambda * wk);
                H[i][k] += rate * (e * wk - lambda * H[i][k]);
            }
        } else {
            step(W[u], H[i], 0, first, e, rate, lambda, &GW[2L * u], &GH[2L * i]);
            if (rest > 0)
                step(W[u], H[i], first, first + rest, e, rate, lambda, &GW[2L * u + 1],
                     &GH[2L * i + 1]);
        }
    }
    return loss;
}

static double held_out_rmse(const struct ratings *test, const struct model *m) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        const float *w = m->W[test->entry[n].user], *h = m->H[test->entry[n].item];
        float e = test->entry[n].value;
        for (int k = 0; k < m->rank; ++k)
            e -= w[k] * h[k];
        sum += e * e;
    }
    return test->unit * sqrt(sum / test->count);
}

static void save_model(const struct settings *options, const struct ratings *data,
                       const struct model *m) {
    FILE *file = model_begin(options, data);
    if (!file)
        return;
    for (int u = 0; u < m->users; ++u)
        model_row(file, options, data, m->W[u]);
    for (int i = 0; i < m->items; ++i)
        model_row(file, options, data, m->H[i]);
    model_close(options->output, file);
}

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test, struct model *m) {
    struct report report = {.quiet = options->quiet, .train = NAN, .held_out = NAN};
    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        double start = clock_seconds();
        double loss =
            train_pass(data->entry, data->count, m->W, m->H, m->GW, m->GH, m->rank, options->rate,
                       options->lambda / data->unit, options->adaptive, epoch);
        double seconds = clock_seconds() - start;
        double rmse = wants_eval(options, test, epoch) ? held_out_rmse(test, m) : NAN;
        report_pass(&report, data->unit * sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "mf_rows [options] RATINGS");
    ratings_load(&options, &data, &test);
    struct model model = make_model(&options, &data);
    train(&options, &data, &test, &model);
    save_model(&options, &data, &model);
    free_model(&model);
    free(data.entry);
    free(test.entry);
    return 0;
}
