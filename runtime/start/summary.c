/* What ORRERY_STATS prints when the program ends. */
#include "runtime/start/summary.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/inspect/hot.h"
#include "runtime/inspect/inspect.h"
#include "runtime/inspect/levels.h"
#include "runtime/merge/serve.h"
#include "runtime/region/region.h"
#include "runtime/region/state.h"
#include "runtime/share/balance.h"
#include "runtime/start/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows, then the parts of every other dim. */
static const char *grid_text(const struct orrery_blocks *blocks, char *text, size_t size) {
    int n = snprintf(text, size, "%ld", blocks->rows);
    for (int d = 1; d < blocks->ndims; ++d)
        n += snprintf(text + n, size - (size_t)n, "x%ld", blocks->parts[d]);
    if (blocks->ndims == 1)
        snprintf(text + n, size - (size_t)n, "x%ld", blocks->columns);
    return text;
}

static double megabytes(uint64_t bytes) {
    return (double)bytes / 1e6;
}

/* Iterations that write one element run one after another, however many workers there are. */
static void print_hot(const struct orrery_state *state) {
    const struct orrery_levels *levels = state->inspection ? state->inspection->levels : NULL;
    const struct orrery_hot *hot = levels ? &levels->hot : NULL;
    if (levels && levels->hots)
        fprintf(stderr, "orrery: %s hot-rows %ld copies-of-each %ld\n", state->where,
                levels->hots->count, levels->rows);
    if (!hot || hot->times == 0)
        return;
    double share = (double)hot->times / (double)state->inspection->count;
    const char *name = state->loop->touched[hot->object];
    fprintf(stderr, "orrery: %s hottest-row %s[%ld] iterations %ld of %ld critical-share %.4f\n",
            state->where, name, hot->unit, hot->times, state->inspection->count, share);
    if (share > 1. / 64 && !state->loop->hot)
        fprintf(stderr,
                "orrery: %s at most %.1f times faster, whatever the machine; relax(hot : %s) keeps "
                "copies of such rows, which learn from the mean of their changes\n",
                state->where, 1 / share, name);
}

static void print_loop(const struct orrery_state *state) {
    const struct orrery_loop_stats *s = state->stats;
    double passes = s->passes ? (double)s->passes : 1;
    char grid[128];
    fprintf(stderr,
            "orrery: %s %s grid %s passes %llu iterations %llu seconds %.4f per-pass %.6f\n",
            state->where, orrery_strategy_of(state->loop), grid_text(&s->blocks, grid, sizeof grid),
            (unsigned long long)s->passes, (unsigned long long)s->iterations, s->seconds,
            s->seconds / passes);
    fprintf(stderr,
            "orrery: %s inspections %llu inspection-seconds %.4f start-us %.2f wait-seconds %.4f "
            "copy-seconds %.4f records-mb %.2f copies-mb %.2f median-pass %.9f checks "
            "%llu visits %ld regions %llu\n",
            state->where, (unsigned long long)s->inspections, s->inspect_seconds,
            1e6 * orrery_median(s->starts, s->regions, ORRERY_STARTS), s->wait_seconds,
            s->copy_seconds, megabytes(s->packed_bytes), megabytes(s->copies_bytes),
            orrery_median(s->paces, s->regions, ORRERY_STARTS), (unsigned long long)s->checks,
            s->blocks.visits, (unsigned long long)s->regions);
    print_hot(state);
    if (s->trades)
        fprintf(stderr, "orrery: %s inspected-where-loaded %llu\n", state->where,
                (unsigned long long)s->trades);
}

static void print_rank(int rank, const struct dsm_counters *counters) {
    fprintf(stderr,
            "orrery: rank %d messages %llu sent-mb %.2f received-mb %.2f wait-seconds %.4f faults "
            "%llu collects %llu distributes %llu sent-far-mb %.2f\n",
            rank, (unsigned long long)counters->messages, megabytes(counters->bytes_sent),
            megabytes(counters->bytes_received), counters->wait_seconds,
            (unsigned long long)counters->faults, (unsigned long long)counters->collects,
            (unsigned long long)counters->distributes, megabytes(counters->bytes_far));
}

/* How many of how many rows each rank has now. */
static void print_deals(void) {
    const uint32_t *weights;
    unsigned long deals = orrery_balance_deals(&weights);
    if (deals == 0)
        return;
    fprintf(stderr, "orrery: rows-dealt %lu", deals);
    for (int rank = 0; weights && rank < dsm_ranks(); ++rank)
        fprintf(stderr, " %lu", (unsigned long)weights[rank]);
    fprintf(stderr, "\n");
}

static void print_spilled(int rank, const struct dsm_spill_figures *figures) {
    char who[32] = "";
    if (figures->budget == 0)
        return;
    if (dsm_ranks() > 1)
        snprintf(who, sizeof who, "rank %d ", rank);
    fprintf(stderr,
            "orrery: %sspill budget-mb %.2f most-mb %.2f evicted-mb %.2f written-mb %.2f read-mb "
            "%.2f ahead-mb %.2f stops %ld stopped-seconds %.4f\n",
            who, megabytes(figures->budget), megabytes(figures->most), megabytes(figures->evicted),
            megabytes(figures->written), megabytes(figures->read), megabytes(figures->ahead),
            figures->stops, figures->stopped);
}

/* The cache of served arrays. */
static void print_cache(int rank, const struct orrery_cache_figures *cache) {
    if (cache->asked > 0)
        fprintf(stderr, "orrery: rank %d served-cache-mb %.3f hits %llu of %llu hit-share %.4f\n",
                rank, megabytes(cache->bytes), (unsigned long long)cache->hits,
                (unsigned long long)cache->asked, (double)cache->hits / (double)cache->asked);
}

/* What a rank says at the end. */
struct counted {
    struct dsm_counters counters;
    struct orrery_cache_figures cache;
    struct dsm_spill_figures spilled;
};

static void print_all(const struct counted *counted) {
    fprintf(stderr, "orrery: ranks %d threads %d\n", dsm_ranks(), orrery_workers_count());
    for (const struct orrery_state *state = orrery_states(); state; state = state->next)
        if (state == state->head)
            print_loop(state);
    orrery_trials_print();
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        print_rank(rank, &counted[rank].counters);
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        print_cache(rank, &counted[rank].cache);
    print_deals();
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        print_spilled(rank, &counted[rank].spilled);
}

void orrery_stats_collect(void) {
    struct counted mine;
    if (!orrery_env()->stats)
        return;
    dsm_counters_get(&mine.counters);
    mine.cache = orrery_serve_figures();
    dsm_spill_figures_get(&mine.spilled);
    if (dsm_rank() != 0) {
        dsm_send(0, ORRERY_TAG_STATS, &mine, sizeof mine);
        return;
    }
    struct counted *counted = dsm_own_alloc((size_t)dsm_ranks() * sizeof *counted);
    counted[0] = mine;
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        dsm_receive(rank, ORRERY_TAG_STATS, &counted[rank], sizeof *counted);
    print_all(counted);
    dsm_own_free(counted);
}
