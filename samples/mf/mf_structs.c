/*
 * The program of mf.c with one struct per user and item; what an iteration does stands in a
 * function of its own, which is handed pointers to the two.
 *
 * Build: cc -O3 mf_structs.c -o mf_structs -lorrery-load -lm
 * or     orrery-cc -O3 mf_structs.c -o mf_structs -lm
 */
#include "shapes.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifndef MAX_RANK
#define MAX_RANK 128
#endif

/* A user or an item: its factors and the sums
 * of squared gradients of its first ones and the rest. */
struct profile {
    float gradients[2];
    float factor[MAX_RANK];
};

/* first: how many numbers have the first rate; moving: how many of a row move in this pass. */
struct rule {
    int rank, adaptive, first, moving;
    float rate, lambda;
};

static float learn(struct profile *user, struct profile *item, float value,
                   const struct rule *rule);

static struct profile *make_profiles(const struct settings *options, double scale, int side,
                                     long count) {
    struct profile *profiles = make(NULL, count, sizeof *profiles);
    for (long i = 0; i < count; ++i) {
        profiles[i].gradients[0] = profiles[i].gradients[1] = 1;
        for (int k = 0; k < options->rank; ++k)
            profiles[i].factor[k] = initial(options, scale, side, i, k);
    }
    return profiles;
}

static double held_out_rmse(const struct ratings *test, const struct profile *users,
                            const struct profile *items, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        const float *w = users[test->entry[n].user].factor;
        const float *h = items[test->entry[n].item].factor;
        float e = test->entry[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        sum += e * e;
    }
    return test->unit * sqrt(sum / test->count);
}

static void save_model(const struct settings *options, const struct ratings *data,
                       const struct profile *users, const struct profile *items) {
    FILE *file = model_begin(options, data);
    if (!file)
        return;
    for (int u = 0; u < data->users; ++u)
        model_row(file, options, data, users[u].factor);
    for (int i = 0; i < data->items; ++i)
        model_row(file, options, data, items[i].factor);
    model_close(options->output, file);
}

static void train(const struct settings *options, const struct ratings *data,
                  const struct ratings *test) {
    double scale = initial_scale(options, data);
    struct profile *users = make_profiles(options, scale, 0, data->users);
    struct profile *items = make_profiles(options, scale, 1, data->items);
    const struct rating *r = data->entry;
    struct report report = {.quiet = options->quiet, .train = NAN, .held_out = NAN};
    struct rule rule = {.rank = options->rank,
                        .adaptive = options->adaptive,
                        .first = options->rank < FIRST ? options->rank : FIRST,
                        .rate = options->rate,
                        .lambda = options->lambda / data->unit};

    for (int epoch = 0; epoch < options->epochs; ++epoch) {
        rule.moving = epoch > 0 ? rule.rank : rule.first;
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n)
            loss += learn(&users[r[n].user], &items[r[n].item], r[n].value, &rule);
        double seconds = clock_seconds() - start;
        double rmse =
            wants_eval(options, test, epoch) ? held_out_rmse(test, users, items, rule.rank) : NAN;
        report_pass(&report, data->unit * sqrt(loss / data->count), rmse, seconds);
    }
    report_end(&report);
    save_model(options, data, users, items);
    free(users);
    free(items);
}

static void learn_plain(float *w, float *h, float e, const struct rule *rule) {
    for (int k = 0; k < rule->rank; ++k) {
        float wk = w[k];
        w[k] += rule->rate * (e * h[k] - rule->lambda * wk);
        h[k] += rule->rate * (e * wk - rule->lambda * h[k]);
    }
}

/* One AdaGrad step of the numbers from..to-1 of both, at the rates of their sums number `which`. */
static void learn_adaptive(struct profile *user, struct profile *item, float e,
                           const struct rule *rule, int which, int from, int to) {
    float *w = user->factor, *h = item->factor;
    float *gw = &user->gradients[which], *gh = &item->gradients[which];
    float rate_w = rule->rate / sqrtf(*gw), rate_h = rule->rate / sqrtf(*gh);
    float sum_w = 0, sum_h = 0;
    for (int k = from; k < to; ++k) {
        float dw = e * h[k] - rule->lambda * w[k], dh = e * w[k] - rule->lambda * h[k];
        w[k] += rate_w * dw;
        h[k] += rate_h * dh;
        sum_w += dw * dw;
        sum_h += dh * dh;
    }
    *gw += sum_w / (to - from);
    *gh += sum_h / (to - from);
}

/* Moves both a step towards the rating; returns the squared error before. */
static float learn(struct profile *user, struct profile *item, float value,
                   const struct rule *rule) {
    float e = value;
    for (int k = 0; k < rule->rank; ++k)
        e -= user->factor[k] * item->factor[k];
    if (!rule->adaptive) {
        learn_plain(user->factor, item->factor, e, rule);
    } else {
        learn_adaptive(user, item, e, rule, 0, 0, rule->first);
        if (rule->moving > rule->first)
            learn_adaptive(user, item, e, rule, 1, rule->first, rule->moving);
    }
    return e * e;
}

int main(int argc, char **argv) {
    struct ratings data, test;
    struct settings options = settings_parse(argc, argv, "mf_structs [options] RATINGS");
    if (options.rank > MAX_RANK) {
        fprintf(stderr, "error: --rank %d: at most %d here (build with -DMAX_RANK=%d)\n",
                options.rank, MAX_RANK, options.rank);
        return 2;
    }
    ratings_load(&options, &data, &test);
    train(&options, &data, &test);
    free(data.entry);
    free(test.entry);
    return 0;
}
