/*
 * The executor: one loop for all strategies. A worker takes consecutive rows of the grid and goes
 * through the clocks; at each the row runs its block, if it has one then, when the block's batons
 * have had their earlier turns; with levels, when the rows that it needs have come as far. A region
 * of several passes goes through the clocks so many times.
 */
#include "runtime/execute/clocks.h"

#include "runtime/base/clock.h"
#include "runtime/base/env.h"
#include "runtime/base/heartbeat.h"
#include "runtime/base/output.h"
#include "runtime/base/progress.h"
#include "runtime/execute/exchange.h"
#include "runtime/execute/hot.h"
#include "runtime/execute/panels_run.h"
#include "runtime/execute/pipe.h"
#include "runtime/execute/spills.h"
#include "runtime/execute/transfer.h"
#include "runtime/execute/wave.h"
#include "runtime/merge/merge.h"
#include "runtime/region/region.h"
#include "runtime/report/profile.h"
#include "runtime/report/trace.h"
#include "runtime/report/verify_passes.h"
#include "runtime/threads/context.h"

#include "dsm/dsm.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

struct span {
    long begin, end;
};

static long phases_of(const struct orrery_region *region) {
    return region->merge ? region->merge->phases : 1;
}

static bool is_pipe(const struct orrery_region *region) {
    return region->blocks.strategy == ORRERY_PIPELINE;
}

static struct span whole_span(const struct orrery_region *region, long row, long column) {
    if (is_pipe(region))
        return (struct span){orrery_pipe_begin(region, column),
                             orrery_pipe_begin(region, column + 1)};
    if (!region->starts)
        return (struct span){
            orrery_row_begin(region->cuts, region->count, row, region->blocks.rows),
            orrery_row_begin(region->cuts, region->count, row + 1, region->blocks.rows)};
    const long *start = region->starts + (row - region->row_low) * region->blocks.columns + column;
    return (struct span){start[0] - region->starts[0], start[1] - region->starts[0]};
}

static bool is_wave(const struct orrery_region *region) {
    return region->blocks.strategy == ORRERY_WAVEFRONT;
}

static struct span share_of(struct span span, long part, long parts) {
    long count = span.end - span.begin;
    return (struct span){span.begin + orrery_share(count, part, parts),
                         span.begin + orrery_share(count, part + 1, parts)};
}

/* A visit has a share of the block; with one clock the phases have. */
static struct span block_span(const struct orrery_region *region, long lap, long row, long column) {
    struct span span = whole_span(region, row, column);
    long phases = phases_of(region), visits = region->blocks.visits;
    if (visits > 1)
        return share_of(span, lap % visits, visits);
    return region->blocks.clocks > 1 ? span : share_of(span, region->phase, phases);
}

/* The clocks, or columns, of the phase that is running. */
static struct span phase_clocks(const struct orrery_region *region) {
    long clocks = region->blocks.clocks, phases = phases_of(region);
    if (clocks == 1)
        return (struct span){0, 1};
    return (struct span){orrery_share(clocks, region->phase, phases),
                         orrery_share(clocks, region->phase + 1, phases)};
}

/* Once an iteration has left the loop, nothing of it counts. */
static void body_run(const struct orrery_loop *loop, void (*run)(const struct orrery_block *),
                     const struct orrery_block *block) {
    const bool leaves = orrery_may_be_left(loop);
    if (leaves && orrery_context_marks().stopped)
        return;
    if (!orrery_output_block(run, block, leaves))
        orrery_context_stop();
}

/* What scratch arrays hold after a block of the last row is what a user may see after the loop. */
static void block_replay(const struct orrery_region *region, const struct orrery_block *block) {
    const struct orrery_loop *loop = region->loop;
    body_run(loop, loop->serial, block);
    for (int j = 0; block->row == region->last_row && j < loop->nreductions; ++j)
        if (loop->reductions[j].op == ORRERY_LAST && loop->reductions[j].array >= 0)
            memcpy(orrery_copies_last(region->copies, j), block->accumulators[j],
                   region->copies->bytes[j]);
}

struct orrery_block orrery_block_at(const struct orrery_region *region, long lap, long row,
                                    long column, long clock) {
    struct span span = block_span(region, lap, row, column);
    struct orrery_block block = {
        .env = orrery_env_of(region, lap / region->blocks.visits),
        .records = region->records,
        .order = region->order,
        .begin = span.begin,
        .end = span.end,
        .accumulators = region->loop->nreductions ? orrery_copies_of(region->copies, row) : NULL,
        .row = row,
        .column = column,
        .clock = lap % region->blocks.visits * region->blocks.clocks + clock};
    if (region->merge)
        orrery_merge_block(region, &block);
    return block;
}

static void profile_block(const struct orrery_region *region, const struct orrery_block *block,
                          double seconds) {
    struct span whole = whole_span(region, block->row, block->column);
    long part = block->end - block->begin;
    bool cut = !is_wave(region) && !is_pipe(region);
    orrery_profile_block(region, block, seconds, cut ? whole.end - whole.begin : part);
}

/* Torture: blocks begin when it is least convenient. Nothing may depend on when they do. */
static void torture(long row, long column, long phase) {
    uint64_t x = (uint64_t)orrery_env()->torture * 0x9e3779b97f4a7c15 +
                 (uint64_t)(row * 8191 + column * 131 + phase) * 0xbf58476d1ce4e5b9;
    x ^= x >> 31;
    x *= 0x94d049bb133111eb;
    x ^= x >> 29;
    for (uint64_t i = x % 32; i > 24; --i)
        sched_yield();
    if (x >> 8 & 1 && x >> 9 & 1)
        usleep((useconds_t)(x >> 16 & 255));
}

void orrery_block_do(const struct orrery_region *region, const struct orrery_block *block,
                     int worker) {
    long row = block->row, column = block->column;
    if (orrery_env()->torture)
        torture(row, column, region->phase);
    dsm_set_context(region->where, row, column);
    orrery_heartbeat_block(row, column, block->clock);
    orrery_output_work(true);
    if (region->resting)
        region->rest(region, row, column, true);
    if (orrery_env()->verify && !region->replay && block->accumulators)
        orrery_copies_spoil(region->copies, row);
    double begin = orrery_trace_begin();
    double from = orrery_env()->profile ? orrery_clock() : 0;
    if (is_pipe(region))
        orrery_pipe_do(region, block);
    else if (region->replay && !is_wave(region))
        block_replay(region, block);
    else if (region->serve)
        body_run(region->loop, region->loop->served, block);
    else
        body_run(region->loop, region->loop->block, block);
    orrery_trace_block(worker, region->where, row, column, begin);
    if (region->merge)
        orrery_merge_row_done(region, row);
    if (orrery_env()->profile)
        profile_block(region, block, orrery_clock() - from);
    if (region->resting)
        region->rest(region, row, column, false);
    orrery_output_work(false);
    orrery_heartbeat_block_over();
    dsm_set_context(NULL, -1, -1);
}

static void block_run(const struct orrery_region *region, long lap, long row, long column,
                      long clock, int worker) {
    struct orrery_block block = orrery_block_at(region, lap, row, column, clock);
    if (is_wave(region)) {
        struct orrery_wave_row columns = orrery_wave_row_of(region, row);
        if (column < columns.first || column >= columns.end)
            return;
        orrery_wave_bounds(region, &columns, &block);
    }
    bool swaps = region->replay && region->hot && block.begin < block.end;
    if (swaps)
        orrery_hot_before(region, lap, row, column);
    if (block.begin < block.end || region->loop->nlate)
        orrery_block_do(region, &block, worker);
    if (swaps)
        orrery_hot_swap(region->hot, row, column);
}

/* What the flags count from in a pass. */
static unsigned turn_in(const struct orrery_region *region, long lap) {
    unsigned most = region->turns ? region->turns->most : (unsigned)region->blocks.columns;
    return region->turn + (unsigned)lap * most;
}

/* What the baton's flag says when its earlier visits are over; the first one of a lap follows the
 * last one of the pass before. */
static unsigned turn_of(const struct orrery_region *region, long lap, long baton, long visit) {
    const struct orrery_turns *turns = region->turns;
    return turns->turn[visit] ? turn_in(region, lap) + turns->turn[visit]
           : lap              ? turn_in(region, lap - 1) + turns->visits[baton]
                              : turn_in(region, lap);
}

/* One baton for its visit: waits until it has had every earlier one. */
static double baton_take(struct orrery_region *region, long lap, long baton, long visit,
                         int worker) {
    struct orrery_flag *flag = &region->flags[baton];
    unsigned turn = turn_of(region, lap, baton, visit);
    long message =
        region->transfer ? orrery_transfer_brings(region->transfer, lap, baton, visit) : -1;
    bool first = lap == 0 && region->turns->turn[visit] == 0;
    if (first || (message < 0 && orrery_flag_is(flag, turn)))
        return 0;
    double begin = orrery_clock();
    if (message >= 0)
        orrery_transfer_take(region->transfer, message);
    else
        orrery_flag_wait(flag, turn);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return end - begin;
}

static void baton_pass(struct orrery_region *region, long lap, long baton, long visit) {
    orrery_flag_set(&region->flags[baton], turn_in(region, lap) + region->turns->turn[visit] + 1);
    if (region->transfer)
        orrery_transfer_pass(region->transfer, lap, visit);
}

/* A block with its batons. Returns the seconds waited for them. */
static double block_step(struct orrery_region *region, long lap, long row, long column, long clock,
                         int worker) {
    const struct orrery_blocks *blocks = &region->blocks;
    long batons[ORRERY_KEYS];
    double waited = 0;
    orrery_batons_of(blocks, row, column, batons);
    for (int i = 0; i < blocks->held; ++i)
        waited += baton_take(region, lap, batons[i],
                             orrery_visit_of(region->turns, row, column) + i, worker);
    block_run(region, lap, row, column, clock, worker);
    for (int i = 0; i < blocks->held; ++i)
        baton_pass(region, lap, batons[i], orrery_visit_of(region->turns, row, column) + i);
    if (region->transfer)
        orrery_transfer_look(region->transfer);
    return waited;
}

/* ---- levels: a block waits for the rows that hold what its iterations need ------------------- */

static const uint64_t *needs_of(const struct orrery_region *region, long row, long column) {
    return &region->needs[row * region->blocks.columns + column];
}

/* The worker of a row: rows are assigned as in job(). */
static int worker_of(const struct orrery_region *region, long row) {
    return (int)orrery_share_of(row, region->blocks.rows, orrery_workers_count());
}

double orrery_turn_wait(struct orrery_region *region, long flag, unsigned turn, int worker) {
    if (orrery_flag_is(&region->flags[flag], turn))
        return 0;
    double begin = orrery_clock();
    orrery_flag_wait(&region->flags[flag], turn);
    double end = orrery_clock();
    orrery_trace_wait(worker, begin, end);
    return end - begin;
}

static double worker_wait(struct orrery_region *region, int other, unsigned turn, int worker) {
    return other == worker ? 0 : orrery_turn_wait(region, other, turn, worker);
}

/* Until all the rows are done with the columns before this one. */
static double needs_wait(struct orrery_region *region, uint64_t rows, unsigned turn, int worker) {
    double waited = 0;
    if (orrery_workers_count() == 1)
        return 0;
    for (long row = 0; rows && row < region->blocks.rows; ++row)
        if (rows >> orrery_levels_bit(region->blocks.rows, row) & 1)
            waited += worker_wait(region, worker_of(region, row), turn, worker);
    return waited;
}

static double column_run(struct orrery_region *region, long pass, long column, struct span rows,
                         int worker) {
    unsigned turn = turn_in(region, pass) + (unsigned)column;
    double waited = 0;
    uint64_t done = 0; /* rows that are done with the columns before this one */
    for (long row = rows.begin; row < rows.end; ++row) {
        struct span span = block_span(region, pass, row, column);
        if (span.begin == span.end)
            continue;
        uint64_t needs = *needs_of(region, row, column);
        waited += needs_wait(region, needs & ~done, turn, worker);
        done |= needs;
        if (region->hot)
            orrery_hot_load(region->hot, row, column);
        block_run(region, pass, row, column, column, worker);
        orrery_progress_block(worker);
    }
    if (region->hot)
        waited += orrery_hot_merge(region, column, rows.begin, rows.end, turn, worker);
    orrery_flag_set(&region->flags[worker], turn + 1);
    return waited;
}

/* What rows need of the pass before is not listed: all of it has to be over. */
static double levels_run(struct orrery_region *region, long pass, struct span rows, int worker) {
    double waited = pass ? needs_wait(region, UINT64_MAX, turn_in(region, pass), worker) : 0;
    struct span columns = phase_clocks(region);
    for (long column = columns.begin; column < columns.end; ++column)
        waited += column_run(region, pass, column, rows, worker);
    return waited;
}

/* ---- wavefronts: a row's flag says how far it and all rows before it are --------------------- */

/* A wave has one pass. */
static double wave_row(struct orrery_region *region, long row, int worker) {
    struct orrery_wave_row columns = orrery_wave_row_of(region, row);
    struct orrery_block block = orrery_block_at(region, 0, row, 0, 0);
    unsigned end = region->turn + (unsigned)region->blocks.columns;
    double waited = 0;
    for (block.column = columns.first; block.column < columns.end; ++block.column) {
        unsigned turn = region->turn + (unsigned)block.column + 1;
        waited += row > 0 ? orrery_turn_wait(region, row - 1, turn, worker) : 0;
        orrery_wave_bounds(region, &columns, &block);
        block.clock = block.column;
        orrery_block_do(region, &block, worker);
        orrery_flag_set(&region->flags[row], turn);
        orrery_progress_block(worker);
    }
    waited += row > 0 ? orrery_turn_wait(region, row - 1, end, worker) : 0;
    orrery_flag_set(&region->flags[row], end);
    return waited;
}

/*
 * Of a loop that counts down the first rows are the last worker's, as of one that counts up: then a
 * worker's caches have what it used in the loop before. Which worker has a row no bit depends on.
 */
static int share_of_worker(const struct orrery_region *region, int worker, int workers) {
    const struct orrery_loop *loop = region->loop;
    bool down =
        !loop->by_key && loop->step < 0 && !region->needs && !is_pipe(region) && dsm_ranks() == 1;
    return down ? workers - 1 - worker : worker;
}

static double wave_run(struct orrery_region *region, int worker) {
    const int workers = orrery_workers_count();
    double waited = 0;
    for (long row = share_of_worker(region, worker, workers); row < region->blocks.rows;
         row += workers) {
        if (region->loop->nreductions)
            orrery_copies_reset(region->copies, row);
        waited += wave_row(region, row, worker);
    }
    return waited;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static double rows_run(struct orrery_region *region, long lap, struct span rows, int worker) {
    double waited = 0;
    struct span clocks = phase_clocks(region);
    for (long clock = clocks.begin; clock < clocks.end; ++clock)
        for (long row = rows.begin; row < rows.end; ++row) {
            long column = orrery_column_at(&region->blocks, row, clock);
            if (column < 0)
                continue;
            waited += block_step(region, lap, row, column, clock, worker);
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
    double begin = orrery_clock();
    double waited = region->panels ? orrery_panels_run(region, worker) : wave_run(region, worker);
    if (waited > 0)
        add_seconds(&region->stats->wait_seconds, waited);
    add_seconds(&region->busy, orrery_clock() - begin - waited);
}

/* When a lap begins, the first of its pass: of several passes the folds of the last one are kept. A
 * pass of several phases is the only one of its region. */
static void copies_reset(const struct orrery_region *region, struct span rows, long lap) {
    long pass = lap / region->blocks.visits;
    if (lap % region->blocks.visits)
        return;
    for (long row = rows.begin; row < rows.end && region->loop->nreductions && region->phase == 0;
         ++row) {
        if (region->kept && pass > 0)
            orrery_kept_row(region, row, pass - 1);
        orrery_copies_reset(region->copies, row);
    }
}

/* Another order of the same blocks, that changes few of the parts that are here. */
static double spilled_run(struct orrery_region *region, struct span rows, int worker) {
    struct orrery_spill_walk walk = {.begin = rows.begin, .end = rows.end};
    double waited = 0;
    while (orrery_spill_next(region, &walk)) {
        long column = orrery_column_at(&region->blocks, walk.row, walk.clock);
        if (walk.clock == 0)
            copies_reset(region, (struct span){walk.row, walk.row + 1}, walk.lap);
        if (column < 0)
            continue;
        waited += block_step(region, walk.lap, walk.row, column, walk.clock, worker);
        orrery_progress_block(worker);
    }
    return waited;
}

/* ---- short regions ---------------------------------------------------------------------------- */

/* Seconds that a row takes in the mean, of all workers: in less a block costs more than it is worth
 * to who watches the run. */
#define SHORT_ROW 2e-5

/* Nobody is told of single rows, and nothing is kept by row. */
static bool is_by_worker(const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    const struct orrery_loop_stats *stats = region->stats;
    const bool watched = orrery_env()->trace || orrery_env()->profile || orrery_env()->verify ||
                         orrery_env()->torture || region->resting;
    const bool plain = loop->strategy == ORRERY_INDEPENDENT && !loop->by_key && !loop->nlate &&
                       loop->nreductions == 0 && !region->merge && !region->serve;
    return plain && !watched && orrery_laps(region) == 1 && dsm_ranks() == 1 &&
           stats->regions > 0 &&
           stats->seconds < SHORT_ROW * (double)stats->regions * (double)region->blocks.rows;
}

/* The rows of a worker follow each other: they are one block. */
static void worker_run(const struct orrery_region *region, struct span rows, int worker) {
    struct orrery_block block = orrery_block_at(region, 0, rows.begin, 0, 0);
    block.end = block_span(region, 0, rows.end - 1, 0).end;
    if (block.begin < block.end)
        orrery_block_do(region, &block, worker);
}

static void job(void *data, int worker) {
    struct orrery_region *region = data;
    if (region->phase == 0)
        note_entry(&region->entered);
    long rows = region->row_high - region->row_low;
    int workers = orrery_workers_count();
    const int share = share_of_worker(region, worker, workers);
    struct span own = {region->row_low + orrery_share(rows, share, workers),
                       region->row_low + orrery_share(rows, share + 1, workers)};
    if (is_pipe(region))
        own = (struct span){orrery_pipe_row_of(region, worker, workers),
                            orrery_pipe_row_of(region, worker + 1, workers)};
    double waited = 0, begin = orrery_clock();
    if (own.begin == own.end)
        return;
    if (is_by_worker(region)) {
        worker_run(region, own, worker);
        add_seconds(&region->busy, orrery_clock() - begin);
        return;
    }
    if (region->spills)
        waited += spilled_run(region, own, worker);
    for (long lap = 0; lap < orrery_laps(region) && !region->spills; ++lap) {
        copies_reset(region, own, lap);
        waited += region->needs ? levels_run(region, lap, own, worker)
                                : rows_run(region, lap, own, worker);
    }
    if (region->transfer && region->phase + 1 == phases_of(region))
        waited += orrery_transfer_leave(region->transfer);
    if (waited > 0)
        add_seconds(&region->stats->wait_seconds, waited);
    add_seconds(&region->busy, orrery_clock() - begin - waited);
}

/* ---- replay: sequential linear extensions of the plan ---------------------------------------- */

static void replay_forward(struct orrery_region *region, long lap) {
    struct span clocks = phase_clocks(region);
    for (long clock = clocks.begin; clock < clocks.end; ++clock)
        for (long row = 0; row < region->blocks.rows; ++row) {
            long column = orrery_column_at(&region->blocks, row, clock);
            if (column >= 0)
                block_run(region, lap, row, column, clock, 0);
        }
}

/* Have the block's batons had their earlier visits? If so, this one is counted. */
static bool replay_visit(const struct orrery_region *region, long lap, long row, long column,
                         unsigned *visits) {
    const struct orrery_turns *turns = region->turns;
    const struct orrery_blocks *blocks = &region->blocks;
    long batons[ORRERY_KEYS];
    bool ready = true;
    orrery_batons_of(blocks, row, column, batons);
    for (int i = 0; i < blocks->held; ++i)
        ready &= visits[batons[i]] == (unsigned)lap * turns->visits[batons[i]] +
                                          turns->turn[orrery_visit_of(turns, row, column) + i];
    for (int i = 0; ready && i < blocks->held; ++i)
        ++visits[batons[i]];
    return ready;
}

/* `clocks`: of all rows, from the first lap on. */
static bool needs_met(const struct orrery_region *region, long row, const long *clocks) {
    long pass = clocks[row] / region->blocks.clocks, clock = clocks[row] % region->blocks.clocks;
    uint64_t rows = *needs_of(region, row, clock);
    for (long other = 0; other < region->blocks.rows; ++other) {
        bool needed = rows >> orrery_levels_bit(region->blocks.rows, other) & 1;
        if (clocks[other] < (needed ? clocks[row] : pass * region->blocks.clocks))
            return false;
    }
    return true;
}

/* Runs row `row` from clocks[row] on as far as its batons have had their turns; the blocks run. */
static long replay_row(struct orrery_region *region, long row, long *clocks, unsigned *visits) {
    long done = 0;
    long last = (orrery_laps(region) - 1) * region->blocks.clocks + phase_clocks(region).end;
    for (; clocks[row] < last; ++clocks[row]) {
        long lap = clocks[row] / region->blocks.clocks, clock = clocks[row] % region->blocks.clocks;
        long column = orrery_column_at(&region->blocks, row, clock);
        if (clock == 0)
            copies_reset(region, (struct span){row, row + 1}, lap);
        if (column < 0)
            continue;
        bool ready = is_wave(region) ? row == 0 || clocks[row - 1] > clocks[row]
                     : region->needs ? needs_met(region, row, clocks)
                                     : replay_visit(region, lap, row, column, visits);
        if (!ready)
            break;
        block_run(region, lap, row, column, clock, 0);
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
        for (long lap = 0; lap < orrery_laps(region) && !reverse; ++lap) {
            copies_reset(region, (struct span){0, blocks->rows}, lap);
            replay_forward(region, lap);
        }
        if (region->merge)
            orrery_merge_all(region, region->phase + 1 == phases_of(region));
    }
    dsm_own_free(clocks);
    dsm_own_free(visits);
}

/* The loop's own order, as without a plan; what it folds goes to row 0's copies, what a stage
 * carries to that stage's. */
static void replay_original(struct orrery_region *region, long pass) {
    int n = region->loop->nreductions;
    void *copies[n + 1];
    for (int j = 0; j < n; ++j)
        copies[j] = orrery_copies_of(region->copies, region->loop->reductions[j].stage)[j];
    region->loop->serial(&(struct orrery_block){
        .env = orrery_env_of(region, pass), .end = region->count, .accumulators = copies});
}

static void replay(struct orrery_region *region, bool reverse) {
    bool original = is_wave(region) || (is_pipe(region) && !region->loop->nlate) ||
                    (!region->loop->unordered &&
                     (region->needs || region->loop->strategy == ORRERY_ORDERED_ROTATION));
    if (reverse || !original || region->merge) {
        replay_phases(region, reverse);
        return;
    }
    for (long pass = 0; pass < region->passes; ++pass) {
        copies_reset(region, (struct span){0, region->blocks.rows}, pass);
        replay_original(region, pass);
    }
}

/* ---- levels on several ranks ----------------------------------------------------------------- */
/* Column by column, with what it wrote told to all ranks behind it. */

static void column_job(void *data, int worker) {
    struct orrery_region *region = data;
    long rows = region->row_high - region->row_low, pass = region->pass;
    int workers = orrery_workers_count();
    struct span own = {region->row_low + orrery_share(rows, worker, workers),
                       region->row_low + orrery_share(rows, worker + 1, workers)};
    if (region->pass == 0 && region->column == 0)
        note_entry(&region->entered);
    double begin = orrery_clock();
    if (region->column == 0)
        copies_reset(region, own, pass);
    for (long row = own.begin; row < own.end; ++row)
        block_run(region, pass, row, region->column, region->column, worker);
    add_seconds(&region->busy, orrery_clock() - begin);
}

static void phase_columns_run(struct orrery_region *region) {
    const struct span columns = phase_clocks(region);
    for (region->column = columns.begin; region->column < columns.end; ++region->column) {
        orrery_workers_run(column_job, region);
        orrery_exchange_column(region->exchange, region->column);
    }
}

/* A region whose arrays are merged has one pass (job). */
static void columns_run(struct orrery_region *region) {
    for (region->pass = 0; region->pass < region->passes; ++region->pass)
        for (region->phase = 0; region->phase < phases_of(region); ++region->phase) {
            phase_columns_run(region);
            if (region->merge)
                orrery_merge_all(region, region->phase + 1 == phases_of(region));
        }
}

/* For a profile; 0: none is wanted. */
static double clock_wanted(void) {
    return orrery_env()->profile ? orrery_clock() : 0;
}

/* Workers without rows do not touch the transfer. */
static void workers_start(struct orrery_region *region) {
    long rows = region->row_high - region->row_low, workers = orrery_workers_count();
    double phases = 0, merges = 0;
    if (region->transfer)
        orrery_transfer_start(region->transfer, (int)(rows < workers ? rows : workers));
    for (region->phase = 0; region->phase < phases_of(region); ++region->phase) {
        double begin = clock_wanted();
        orrery_workers_run(is_wave(region) ? wave_job : job, region);
        double middle = clock_wanted();
        if (region->merge)
            orrery_merge_all(region, region->phase + 1 == phases_of(region));
        phases += middle - begin;
        merges += clock_wanted() - middle;
    }
    if (region->merge)
        orrery_profile_merges(region, phases, merges);
}

void orrery_clocks_run(struct orrery_region *region) {
    if (region->merge)
        orrery_merge_start(region, true);
    if (region->replay)
        replay(region, orrery_env()->replay == ORRERY_REPLAY_REVERSE);
    else if (region->exchange)
        columns_run(region);
    else
        workers_start(region);
}
