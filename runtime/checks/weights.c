/*
 * Sums of the weights of stretches, by all workers; then each cut is looked for in its stretch. So
 * nothing is kept per iteration.
 */
#include "runtime/checks/weights.h"

#include "runtime/base/clock.h"
#include "runtime/checks/intervals.h"

#include <string.h>

enum { STRETCHES = 64 }; /* per row */

struct weighing {
    const struct orrery_loop *loop;
    const void *env;
    long count, stretches;
    int workers;
    long *sums;
    struct orrery_span *spans; /* nspans per worker */
};

static void weigh_share(void *data, int worker) {
    struct weighing *weighing = data;
    struct orrery_span *spans = weighing->spans + (long)worker * weighing->loop->nspans;
    long end = orrery_share(weighing->stretches, worker + 1, weighing->workers);
    for (long s = orrery_share(weighing->stretches, worker, weighing->workers); s < end; ++s) {
        long sum = 0, last = orrery_share(weighing->count, s + 1, weighing->stretches);
        for (long i = orrery_share(weighing->count, s, weighing->stretches); i < last; ++i)
            sum += weighing->loop->weigh(weighing->env, i, spans);
        weighing->sums[s] = sum;
    }
}

/* The first iteration of stretch s before which, and after so much of it, `target` is reached. */
static long cut_in(const struct weighing *weighing, long s, long before, long target) {
    long i = orrery_share(weighing->count, s, weighing->stretches);
    long end = orrery_share(weighing->count, s + 1, weighing->stretches);
    for (; i < end; ++i) {
        long weight = weighing->loop->weigh(weighing->env, i, NULL);
        if (before + weight / 2 >= target)
            break;
        before += weight;
    }
    return i;
}

static void cut_all(const struct weighing *weighing, long rows, long *cuts) {
    long total = 0, before = 0, s = 0;
    for (long i = 0; i < weighing->stretches; ++i)
        total += weighing->sums[i];
    cuts[0] = 0;
    for (long row = 1; row < rows; ++row) {
        long target = orrery_share(total, row, rows);
        while (s + 1 < weighing->stretches && before + weighing->sums[s] < target)
            before += weighing->sums[s++];
        long cut = cut_in(weighing, s, before, target);
        long least = cuts[row - 1] + 1, most = weighing->count - (rows - row);
        cuts[row] = cut < least ? least : cut > most ? most : cut;
    }
    cuts[rows] = weighing->count;
}

static struct dsm_watch *watch_on(const struct weighing *weighing) {
    int nspans = weighing->loop->nspans, n = 0;
    struct dsm_range *ranges = dsm_own_alloc((size_t)(nspans + 1) * sizeof *ranges);
    for (int s = 0; s < nspans; ++s) {
        struct orrery_span all = weighing->spans[s];
        for (int w = 1; w < weighing->workers; ++w) {
            const struct orrery_span *span = &weighing->spans[w * nspans + s];
            if (span->high)
                orrery_touch(&all, span->low, (unsigned long)(span->high - span->low));
        }
        if (all.high)
            ranges[n++] = (struct dsm_range){all.low, all.high};
    }
    struct dsm_watch *watch = dsm_watch_start_windowed(n, ranges);
    dsm_own_free(ranges);
    return watch;
}

static void weigh_all(struct orrery_weights *weights, const struct orrery_loop *loop,
                      const void *env, long count, long rows) {
    struct weighing weighing = {.loop = loop,
                                .env = env,
                                .count = count,
                                .stretches = count < STRETCHES * rows ? count : STRETCHES * rows,
                                .workers = orrery_workers_count()};
    long nspans = (long)weighing.workers * loop->nspans;
    size_t bytes = (size_t)(rows + 1) * sizeof *weights->cuts;
    long *cuts = dsm_own_alloc(bytes);
    weighing.sums = dsm_own_alloc((size_t)weighing.stretches * sizeof *weighing.sums);
    weighing.spans = dsm_own_alloc((size_t)(nspans + 1) * sizeof *weighing.spans);
    for (long i = 0; i < nspans; ++i)
        weighing.spans[i] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    orrery_workers_run(weigh_share, &weighing);
    weights->watch = watch_on(&weighing);
    cut_all(&weighing, rows, cuts);
    bool same = weights->cuts && weights->rows == rows && memcmp(weights->cuts, cuts, bytes) == 0;
    weights->version += !same;
    dsm_own_free(weights->cuts);
    weights->cuts = cuts;
    dsm_own_free(weighing.sums);
    dsm_own_free(weighing.spans);
}

static bool holds(const struct orrery_state *state, const char *inputs, long count, long rows) {
    const struct orrery_weights *weights = &state->weights;
    return weights->cuts && weights->count == count && weights->rows == rows &&
           memcmp(inputs, weights->inputs, state->loop->env_size) == 0 &&
           !dsm_watch_changed(weights->watch);
}

const long *orrery_weights_cut(struct orrery_state *state, const void *env, long count, long rows) {
    struct orrery_weights *weights = &state->weights;
    const struct orrery_loop *loop = state->loop;
    if (!loop->weigh || rows < 2 || count <= rows || orrery_loop_merges(loop))
        return NULL;
    char *inputs = dsm_own_alloc(loop->env_size + 1);
    orrery_inputs_copy(loop, env, inputs);
    if (holds(state, inputs, count, rows)) {
        dsm_own_free(inputs);
        return weights->cuts;
    }
    double begin = orrery_clock();
    if (weights->cuts)
        dsm_watch_end(weights->watch);
    weigh_all(weights, loop, env, count, rows);
    dsm_own_free(weights->inputs);
    weights->inputs = inputs;
    weights->count = count;
    weights->rows = rows;
    state->stats->inspect_seconds += orrery_clock() - begin;
    return weights->cuts;
}
