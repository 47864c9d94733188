/*
 * The executor: one loop for all strategies. A worker takes consecutive rows of the grid and goes
 * through the clocks; at clock c row s runs the block of the column in slot (s + c) mod clocks,
 * when there is one and it has had its turn.
 */
#include "runtime/carrier.h"
#include "runtime/env.h"
#include "runtime/progress.h"
#include "runtime/region.h"
#include "runtime/trace.h"

#include "dsm/dsm.h"

#include <stdatomic.h>

struct span {
    long begin, end;
};

static struct span block_span(const struct orrery_region *region, long row, long column) {
    if (!region->starts)
        return (struct span){orrery_share(region->count, row, region->rows),
                             orrery_share(region->count, row + 1, region->rows)};
    const long *start = region->starts + (row - region->row_low) * region->columns + column;
    return (struct span){start[0] - region->starts[0], start[1] - region->starts[0]};
}

static void block_run(const struct orrery_region *region, long row, long column, int worker) {
    struct span span = block_span(region, row, column);
    if (span.begin == span.end)
        return;
    struct orrery_block block = {
        region->env,   region->records,
        region->order, span.begin,
        span.end,      region->loop->nreductions ? orrery_copies_of(region->copies, row) : NULL,
        row,           column};
    dsm_set_context(region->where, row, column);
    double begin = orrery_trace_begin();
    if (region->replay)
        region->loop->serial(&block);
    else
        region->loop->block(&block);
    orrery_trace_block(worker, region->where, row, column, begin);
    dsm_set_context(NULL, -1, -1);
}

/* The column's baton for this row: waits until every earlier row of the column is done. */
static double baton_take(struct orrery_region *region, long row, long column, int worker) {
    long turn = orrery_turn_of(region, row, column);
    struct orrery_flag *flag = &region->turns[column];
    bool comes = region->carrier && orrery_carrier_brings(region->carrier, row, turn);
    if (turn == 0 || (!comes && orrery_flag_is(flag, region->turn + (unsigned)turn)))
        return 0;
    double begin = orrery_clock();
    if (comes)
        orrery_carrier_take(region->carrier, column);
    else
        orrery_flag_wait(flag, region->turn + (unsigned)turn);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return end - begin;
}

static void baton_pass(struct orrery_region *region, long row, long column) {
    long turn = orrery_turn_of(region, row, column);
    orrery_flag_set(&region->turns[column], region->turn + (unsigned)turn + 1);
    if (region->carrier)
        orrery_carrier_pass(region->carrier, row, column);
}

static double rows_run(struct orrery_region *region, long low, long high, int worker) {
    double waited = 0;
    for (long clock = 0; clock < region->clocks; ++clock)
        for (long row = low; row < high; ++row) {
            long column = orrery_column_at(region, row, clock);
            if (column < 0)
                continue;
            if (region->chained)
                waited += baton_take(region, row, column, worker);
            block_run(region, row, column, worker);
            if (region->chained)
                baton_pass(region, row, column);
            orrery_progress_block(worker);
        }
    return waited;
}

/* Seconds, atomically: a worker's waiting is added once per region. */
static void add_seconds(double *to, double seconds) {
    double old, sum;
    __atomic_load(to, &old, __ATOMIC_RELAXED);
    do
        sum = old + seconds;
    while (!__atomic_compare_exchange(to, &old, &sum, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* The last worker to come says how long the region took to start. */
static void note_entry(double *latest) {
    double now = orrery_clock(), old;
    __atomic_load(latest, &old, __ATOMIC_RELAXED);
    while (old < now &&
           !__atomic_compare_exchange(latest, &old, &now, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

static void job(void *data, int worker) {
    struct orrery_region *region = data;
    note_entry(&region->entered);
    long rows = region->row_high - region->row_low;
    int workers = orrery_workers_count();
    long low = region->row_low + orrery_share(rows, worker, workers);
    long high = region->row_low + orrery_share(rows, worker + 1, workers);
    if (low == high)
        return;
    for (long row = low; row < high && region->loop->nreductions; ++row)
        orrery_copies_reset(region->copies, row);
    if (region->carrier)
        orrery_carrier_join(region->carrier, low == region->row_low, high == region->row_high);
    double waited = rows_run(region, low, high, worker);
    if (region->carrier)
        waited +=
            orrery_carrier_leave(region->carrier, low == region->row_low, high == region->row_high);
    if (waited > 0)
        add_seconds(&region->stats->wait_seconds, waited);
}

/* ---- replay: sequential linear extensions of the plan ---- */

static void replay_forward(struct orrery_region *region) {
    for (long clock = 0; clock < region->clocks; ++clock)
        for (long row = 0; row < region->rows; ++row) {
            long column = orrery_column_at(region, row, clock);
            if (column >= 0)
                block_run(region, row, column, 0);
        }
}

/* Runs row `row` from clocks[row] on as far as its columns have had their turns; the blocks run. */
static long replay_row(struct orrery_region *region, long row, long *clocks, long *turns) {
    long done = 0;
    for (; clocks[row] < region->clocks; ++clocks[row]) {
        long column = orrery_column_at(region, row, clocks[row]);
        if (column < 0)
            continue;
        if (region->chained && turns[column] != orrery_turn_of(region, row, column))
            break;
        block_run(region, row, column, 0);
        ++turns[column];
        ++done;
    }
    return done;
}

/* Always the highest row that can run, as far as it can: far from the order of the clocks. */
static void replay_reverse(struct orrery_region *region) {
    long *clocks = dsm_own_alloc((size_t)region->rows * sizeof *clocks);
    long *turns = dsm_own_alloc((size_t)region->columns * sizeof *turns);
    for (long row = 0; row < region->rows; ++row)
        clocks[row] = 0;
    for (long column = 0; column < region->columns; ++column)
        turns[column] = 0;
    long left = region->rows * region->columns;
    while (left > 0)
        for (long row = region->rows - 1; row >= 0; --row) {
            long done = replay_row(region, row, clocks, turns);
            left -= done;
            if (done)
                row = region->rows;
        }
    dsm_own_free(clocks);
    dsm_own_free(turns);
}

static void replay(struct orrery_region *region, bool reverse) {
    for (long row = 0; row < region->rows && region->loop->nreductions; ++row)
        orrery_copies_reset(region->copies, row);
    if (reverse)
        replay_reverse(region);
    else
        replay_forward(region);
}

void orrery_clocks_run(struct orrery_region *region) {
    if (region->replay)
        replay(region, orrery_env()->replay == ORRERY_REPLAY_REVERSE);
    else
        orrery_workers_run(job, region);
}
