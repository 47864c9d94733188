/*
 * The executor: one loop for all strategies. A worker takes consecutive rows of the grid and goes
 * through the clocks; at each the row runs its block, if it has one then, when the block's batons
 * have had their earlier turns; with levels, when the rows that it needs have come as far.
 */
#include "runtime/carrier.h"
#include "runtime/env.h"
#include "runtime/levels.h"
#include "runtime/merge.h"
#include "runtime/profile.h"
#include "runtime/progress.h"
#include "runtime/region.h"
#include "runtime/trace.h"
#include "runtime/wave.h"

#include "dsm/dsm.h"

#include <stdatomic.h>
#include <string.h>

struct span {
    long begin, end;
};

static long phases_of(const struct orrery_region *region) {
    return region->merge ? region->merge->phases : 1;
}

static struct span whole_span(const struct orrery_region *region, long row, long column) {
    if (!region->starts)
        return (struct span){orrery_share(region->count, row, region->blocks.rows),
                             orrery_share(region->count, row + 1, region->blocks.rows)};
    const long *start = region->starts + (row - region->row_low) * region->blocks.columns + column;
    return (struct span){start[0] - region->starts[0], start[1] - region->starts[0]};
}

static bool is_wave(const struct orrery_region *region) {
    return region->blocks.strategy == ORRERY_WAVEFRONT;
}

/* With one clock the phases are parts of the rows' blocks. */
static struct span block_span(const struct orrery_region *region, long row, long column) {
    struct span span = whole_span(region, row, column);
    long phases = phases_of(region), count = span.end - span.begin;
    if (region->blocks.clocks > 1 || phases == 1)
        return span;
    return (struct span){span.begin + orrery_share(count, region->phase, phases),
                         span.begin + orrery_share(count, region->phase + 1, phases)};
}

/* The clocks, or columns, of the phase that is running. */
static struct span phase_clocks(const struct orrery_region *region) {
    long clocks = region->blocks.clocks, phases = phases_of(region);
    if (clocks == 1)
        return (struct span){0, 1};
    return (struct span){orrery_share(clocks, region->phase, phases),
                         orrery_share(clocks, region->phase + 1, phases)};
}

/* What scratch arrays hold after a block of the last row is what a user may see after the loop. */
static void block_replay(const struct orrery_region *region, const struct orrery_block *block) {
    const struct orrery_loop *loop = region->loop;
    loop->serial(block);
    for (int j = 0; block->row == region->last_row && j < loop->nreductions; ++j)
        if (loop->reductions[j].op == ORRERY_LAST && loop->reductions[j].array >= 0)
            memcpy(orrery_copies_last(region->copies, j), block->accumulators[j],
                   region->copies->bytes[j]);
}

static struct orrery_block block_at(const struct orrery_region *region, long row, long column,
                                    long clock) {
    struct span span = block_span(region, row, column);
    struct orrery_block block = {
        .env = region->env,
        .records = region->records,
        .order = region->order,
        .begin = span.begin,
        .end = span.end,
        .accumulators = region->loop->nreductions ? orrery_copies_of(region->copies, row) : NULL,
        .row = row,
        .column = column,
        .clock = clock};
    if (region->merge)
        orrery_merge_block(region, &block);
    return block;
}

static void block_do(const struct orrery_region *region, const struct orrery_block *block,
                     int worker) {
    long row = block->row, column = block->column;
    dsm_set_context(region->where, row, column);
    if (orrery_env()->verify && !region->replay && block->accumulators)
        orrery_copies_spoil(region->copies, row);
    double begin = orrery_trace_begin(), from = orrery_env()->profile ? orrery_clock() : 0;
    if (region->replay && !is_wave(region))
        block_replay(region, block);
    else
        region->loop->block(block);
    orrery_trace_block(worker, region->where, row, column, begin);
    if (orrery_env()->profile)
        orrery_profile_block(region, row, column, orrery_clock() - from, block->end - block->begin);
    if (region->merge)
        orrery_merge_row_done(region, row);
    dsm_set_context(NULL, -1, -1);
}

static void block_run(const struct orrery_region *region, long row, long column, long clock,
                      int worker) {
    struct orrery_block block = block_at(region, row, column, clock);
    if (is_wave(region)) {
        struct orrery_wave_row columns = orrery_wave_row_of(region, row);
        if (column < columns.first || column >= columns.end)
            return;
        orrery_wave_bounds(region, &columns, &block);
    }
    if (block.begin < block.end)
        block_do(region, &block, worker);
}

/* One baton for its visit: waits until it has had every earlier one. */
static double baton_take(struct orrery_region *region, long baton, long visit, int worker) {
    unsigned turn = region->turns->turn[visit];
    struct orrery_flag *flag = &region->flags[baton];
    bool comes = region->carrier && orrery_carrier_brings(region->carrier, visit);
    if (turn == 0 || (!comes && orrery_flag_is(flag, region->turn + turn)))
        return 0;
    double begin = orrery_clock();
    if (comes)
        orrery_carrier_take(region->carrier, visit);
    else
        orrery_flag_wait(flag, region->turn + turn);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return end - begin;
}

static void baton_pass(struct orrery_region *region, long baton, long visit) {
    unsigned turn = region->turns->turn[visit];
    orrery_flag_set(&region->flags[baton], region->turn + turn + 1);
    if (region->carrier)
        orrery_carrier_pass(region->carrier, visit);
}

/* A block with its batons. Returns the seconds waited for them. */
static double block_step(struct orrery_region *region, long row, long column, long clock,
                         int worker) {
    const struct orrery_blocks *blocks = &region->blocks;
    long batons[ORRERY_KEYS];
    double waited = 0;
    orrery_batons_of(blocks, row, column, batons);
    for (int i = 0; i < blocks->held; ++i)
        waited +=
            baton_take(region, batons[i], orrery_visit_of(region->turns, row, column) + i, worker);
    block_run(region, row, column, clock, worker);
    for (int i = 0; i < blocks->held; ++i)
        baton_pass(region, batons[i], orrery_visit_of(region->turns, row, column) + i);
    return waited;
}

/* ---- levels: a block waits for the rows that hold what its iterations need ---- */

static const uint64_t *needs_of(const struct orrery_region *region, long row, long column) {
    return &region->needs[row * region->blocks.columns + column];
}

/* The worker of a row: rows are dealt as in job(). */
static int worker_of(const struct orrery_region *region, long row) {
    int workers = orrery_workers_count();
    int worker = (int)((__int128)row * workers / region->blocks.rows);
    while (orrery_share(region->blocks.rows, worker + 1, workers) <= row)
        ++worker;
    return worker;
}

/* Until the flag has counted the columns before this one. */
static double column_wait(struct orrery_region *region, long flag, long column, int worker) {
    unsigned value = region->turn + (unsigned)column;
    if (orrery_flag_is(&region->flags[flag], value))
        return 0;
    double begin = orrery_clock();
    orrery_flag_wait(&region->flags[flag], value);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return end - begin;
}

static double worker_wait(struct orrery_region *region, int other, long column, int worker) {
    return other == worker ? 0 : column_wait(region, other, column, worker);
}

/* Until all the rows are done with the columns before this one. */
static double needs_wait(struct orrery_region *region, uint64_t rows, long column, int worker) {
    double waited = 0;
    for (long row = 0; rows && row < region->blocks.rows; ++row)
        if (rows >> orrery_levels_bit(region->blocks.rows, row) & 1)
            waited += worker_wait(region, worker_of(region, row), column, worker);
    return waited;
}

static double levels_run(struct orrery_region *region, long low, long high, int worker) {
    double waited = 0;
    struct span columns = phase_clocks(region);
    for (long column = columns.begin; column < columns.end; ++column) {
        for (long row = low; row < high; ++row) {
            struct span span = block_span(region, row, column);
            if (span.begin == span.end)
                continue;
            waited += needs_wait(region, *needs_of(region, row, column), column, worker);
            block_run(region, row, column, column, worker);
            orrery_progress_block(worker);
        }
        orrery_flag_set(&region->flags[worker], region->turn + (unsigned)column + 1);
    }
    return waited;
}

/* ---- wavefronts: a row's flag says how far it and all rows before it are ---- */

static double wave_row(struct orrery_region *region, long row, int worker) {
    struct orrery_wave_row columns = orrery_wave_row_of(region, row);
    struct orrery_block block = block_at(region, row, 0, 0);
    double waited = 0;
    for (block.column = columns.first; block.column < columns.end; ++block.column) {
        waited += row > 0 ? column_wait(region, row - 1, block.column + 1, worker) : 0;
        orrery_wave_bounds(region, &columns, &block);
        block.clock = block.column;
        block_do(region, &block, worker);
        orrery_flag_set(&region->flags[row], region->turn + (unsigned)block.column + 1);
        orrery_progress_block(worker);
    }
    waited += row > 0 ? column_wait(region, row - 1, region->blocks.columns, worker) : 0;
    orrery_flag_set(&region->flags[row], region->turn + (unsigned)region->blocks.columns);
    return waited;
}

static double wave_run(struct orrery_region *region, int worker) {
    double waited = 0;
    for (long row = worker; row < region->blocks.rows; row += orrery_workers_count()) {
        if (region->loop->nreductions)
            orrery_copies_reset(region->copies, row);
        waited += wave_row(region, row, worker);
    }
    return waited;
}

/* ---- keys ---- */

static double rows_run(struct orrery_region *region, long low, long high, int worker) {
    double waited = 0;
    struct span clocks = phase_clocks(region);
    for (long clock = clocks.begin; clock < clocks.end; ++clock)
        for (long row = low; row < high; ++row) {
            long column = orrery_column_at(&region->blocks, row, clock);
            if (column < 0)
                continue;
            waited += block_step(region, row, column, clock, worker);
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

static void wave_job(void *data, int worker) {
    struct orrery_region *region = data;
    note_entry(&region->entered);
    double waited = wave_run(region, worker);
    if (waited > 0)
        add_seconds(&region->stats->wait_seconds, waited);
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
    for (long row = low; row < high && region->loop->nreductions && region->phase == 0; ++row)
        orrery_copies_reset(region->copies, row);
    double waited =
        region->needs ? levels_run(region, low, high, worker) : rows_run(region, low, high, worker);
    if (region->carrier && region->phase + 1 == phases_of(region))
        waited += orrery_carrier_leave(region->carrier);
    if (waited > 0)
        add_seconds(&region->stats->wait_seconds, waited);
}

/* ---- replay: sequential linear extensions of the plan ---- */

static void replay_forward(struct orrery_region *region) {
    struct span clocks = phase_clocks(region);
    for (long clock = clocks.begin; clock < clocks.end; ++clock)
        for (long row = 0; row < region->blocks.rows; ++row) {
            long column = orrery_column_at(&region->blocks, row, clock);
            if (column >= 0)
                block_run(region, row, column, clock, 0);
        }
}

/* Have the block's batons had their earlier visits? If so, this one is counted. */
static bool replay_visit(const struct orrery_region *region, long row, long column,
                         unsigned *visits) {
    const struct orrery_blocks *blocks = &region->blocks;
    long batons[ORRERY_KEYS];
    bool ready = true;
    orrery_batons_of(blocks, row, column, batons);
    for (int i = 0; i < blocks->held; ++i)
        ready &= visits[batons[i]] ==
                 region->turns->turn[orrery_visit_of(region->turns, row, column) + i];
    for (int i = 0; ready && i < blocks->held; ++i)
        ++visits[batons[i]];
    return ready;
}

static bool needs_met(const struct orrery_region *region, long row, const long *clocks) {
    uint64_t rows = *needs_of(region, row, clocks[row]);
    for (long other = 0; rows && other < region->blocks.rows; ++other)
        if ((rows >> orrery_levels_bit(region->blocks.rows, other) & 1) &&
            clocks[other] < clocks[row])
            return false;
    return true;
}

/* Runs row `row` from clocks[row] on as far as its batons have had their turns; the blocks run. */
static long replay_row(struct orrery_region *region, long row, long *clocks, unsigned *visits) {
    long done = 0;
    for (long end = phase_clocks(region).end; clocks[row] < end; ++clocks[row]) {
        long column = orrery_column_at(&region->blocks, row, clocks[row]);
        if (column < 0)
            continue;
        bool ready = is_wave(region) ? row == 0 || clocks[row - 1] > clocks[row]
                     : region->needs ? needs_met(region, row, clocks)
                                     : replay_visit(region, row, column, visits);
        if (!ready)
            break;
        block_run(region, row, column, clocks[row], 0);
        ++done;
    }
    return done;
}

/* Always the highest row that can run, as far as it can: far from the order of the clocks. */
static void replay_reverse(struct orrery_region *region, long *clocks, unsigned *visits) {
    for (long row = region->blocks.rows - 1; row >= 0; --row)
        if (replay_row(region, row, clocks, visits))
            row = region->blocks.rows;
}

/* One phase after the other; with one clock each begins anew. */
static void replay_phases(struct orrery_region *region, bool reverse) {
    const struct orrery_blocks *blocks = &region->blocks;
    size_t row_bytes = (size_t)(blocks->rows + 1) * sizeof(long);
    size_t baton_bytes = (size_t)(blocks->batons + 1) * sizeof(unsigned);
    long *clocks = memset(dsm_own_alloc(row_bytes), 0, row_bytes);
    unsigned *visits = memset(dsm_own_alloc(baton_bytes), 0, baton_bytes);
    for (region->phase = 0; region->phase < phases_of(region); ++region->phase) {
        if (blocks->clocks == 1)
            memset(clocks, 0, row_bytes);
        if (reverse)
            replay_reverse(region, clocks, visits);
        else
            replay_forward(region);
        if (region->merge)
            orrery_merge_all(region, region->phase + 1 == phases_of(region));
    }
    dsm_own_free(clocks);
    dsm_own_free(visits);
}

/* The loop's own order, as without a plan; what it folds goes to row 0's copies. */
static void replay_original(struct orrery_region *region) {
    region->loop->serial(&(struct orrery_block){
        .env = region->env,
        .end = region->count,
        .accumulators = region->loop->nreductions ? orrery_copies_of(region->copies, 0) : NULL});
}

static void replay(struct orrery_region *region, bool reverse) {
    for (long row = 0; row < region->blocks.rows && region->loop->nreductions; ++row)
        orrery_copies_reset(region->copies, row);
    bool original =
        is_wave(region) || (!region->loop->unordered &&
                            (region->needs || region->loop->strategy == ORRERY_ORDERED_ROTATION));
    if (original && !reverse && !region->merge)
        replay_original(region);
    else
        replay_phases(region, reverse);
}

/* Workers without rows do not touch the carrier. */
static void workers_start(struct orrery_region *region) {
    long rows = region->row_high - region->row_low, workers = orrery_workers_count();
    if (region->carrier)
        orrery_carrier_start(region->carrier, (int)(rows < workers ? rows : workers));
    for (region->phase = 0; region->phase < phases_of(region); ++region->phase) {
        orrery_workers_run(is_wave(region) ? wave_job : job, region);
        if (region->merge)
            orrery_merge_all(region, region->phase + 1 == phases_of(region));
    }
}

void orrery_clocks_run(struct orrery_region *region) {
    if (region->merge)
        orrery_merge_start(region);
    if (region->replay)
        replay(region, orrery_env()->replay == ORRERY_REPLAY_REVERSE);
    else
        workers_start(region);
}
