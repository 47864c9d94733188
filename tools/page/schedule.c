/* How a plan's blocks run: those of the executor, in steps of equal length, for some workers. */
#include "tools/page/page.h"

#include <math.h>
#include <string.h>

/* How many parts the picture has per dim, by the executor of the blocks; 0: a run tells which blocks
 * there are. */
static const long pictures[][ORRERY_DIMS] = {
    [ORRERY_INDEPENDENT] = {8},         [ORRERY_PARTITION_1D] = {8},
    [ORRERY_ROTATION] = {6, 6},         [ORRERY_TOURNAMENT] = {8, 2, 2, 2},
    [ORRERY_ORDERED_ROTATION] = {5, 8}, [ORRERY_LEVELS] = {0},
    [ORRERY_WAVEFRONT] = {5, 8},        [ORRERY_PIPELINE] = {3, 12},
};

static const long more_dims[ORRERY_DIMS] = {4, 4, 4, 2};

enum { MOST_BLOCKS = 400 };

bool schedule_has(enum strategy strategy) {
    return strategy != STRATEGY_SERIAL && pictures[strategy_executor(strategy)][0] > 0;
}

/* A wave has the order of an ordered rotation, of which nothing travels. */
static enum orrery_strategy executor_of(enum strategy strategy) {
    enum orrery_strategy executor = strategy_executor(strategy);
    return executor == ORRERY_WAVEFRONT ? ORRERY_ORDERED_ROTATION : executor;
}

struct cost_loop schedule_loop(struct arena *arena, enum strategy strategy,
                               const struct orrery_blocks *blocks, const double *seconds) {
    struct cost_loop loop = {.name = strategy_name(strategy),
                             .strategy = strategy,
                             .rows = blocks->rows,
                             .columns = blocks->columns,
                             .visits = 1,
                             .passes = 1,
                             .nbatons = blocks->batons};
    size_t count = (size_t)(blocks->rows * blocks->columns);
    loop.steps = arena_alloc(arena, (count + 1) * sizeof *loop.steps);
    loop.baton_bytes = arena_alloc(arena, (size_t)(blocks->batons + 1) * sizeof(double));
    memset(loop.baton_bytes, 0, (size_t)(blocks->batons + 1) * sizeof(double));
    long *batons = arena_alloc(arena, (count + 1) * ORRERY_KEYS * sizeof *batons);
    for (long clock = 0; clock < blocks->clocks; ++clock)
        for (long row = 0; row < blocks->rows; ++row) {
            long column = orrery_column_at(blocks, row, clock);
            if (column < 0)
                continue;
            orrery_batons_of(blocks, row, column, batons);
            loop.steps[loop.nsteps++] =
                (struct cost_step){.row = row,
                                   .seconds = seconds ? seconds[row * blocks->columns + column] : 1,
                                   .nbatons = blocks->held,
                                   .batons = batons};
            batons += ORRERY_KEYS;
        }
    return loop;
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* The plan's own grid where it says one that can be drawn, else one of an example's size. */
static struct orrery_blocks blocks_of(const struct plan *plan, bool *example) {
    enum orrery_strategy executor = executor_of(plan->strategy);
    int ndims = plan_grid_numbers(plan);
    bool pairs = executor == ORRERY_TOURNAMENT;
    const long *parts = executor == ORRERY_ROTATION && ndims > 2
                            ? more_dims
                            : pictures[strategy_executor(plan->strategy)];
    struct orrery_blocks blocks;
    long said[ORRERY_DIMS];
    *example = true;
    for (int d = 0; d < ndims; ++d)
        said[d] = plan->grid[d] ? plan->grid[d] * (pairs && d == 0 ? 2 : 1) : parts[d];
    if (plan->pipe)
        said[0] = plan->pipe->nstages;
    blocks = orrery_blocks_make(executor, ndims, said);
    if (blocks.rows * blocks.columns > MOST_BLOCKS)
        return orrery_blocks_make(executor, ndims, parts);
    *example = false;
    for (int d = 0; d < ndims; ++d)
        *example |= plan->grid[d] == 0;
    return blocks;
}

/* "3" in a rotation, "1,4" with more dims; "2+5" for the two parts of a pair. */
static const char *label_of(struct arena *arena, const struct orrery_blocks *blocks, long row,
                            long column) {
    const char *label = "";
    long rest = column;
    for (int d = blocks->ndims - 1; d > 0; --d) {
        label = arena_printf(arena, "%ld%s%s", rest % blocks->parts[d], *label ? "," : "", label);
        rest /= blocks->parts[d];
    }
    if (blocks->strategy == ORRERY_TOURNAMENT) {
        long pair[2];
        orrery_pair_of(blocks, row, rest, pair);
        label = arena_printf(arena, "%ld+%ld%s%s", pair[0], pair[1], *label ? "," : "", label);
    }
    return label;
}

/* [row, column, label, baton ...] of every block, in the order of the clocks. */
static json_t *steps_json(struct arena *arena, const struct orrery_blocks *blocks) {
    json_t *steps = json_array();
    for (long clock = 0; clock < blocks->clocks; ++clock)
        for (long row = 0; row < blocks->rows; ++row) {
            long column = orrery_column_at(blocks, row, clock), batons[ORRERY_KEYS];
            if (column < 0)
                continue;
            json_t *step = json_pack("[I, I, s]", (json_int_t)row, (json_int_t)column,
                                     label_of(arena, blocks, row, column));
            orrery_batons_of(blocks, row, column, batons);
            for (int i = 0; i < blocks->held; ++i)
                json_array_append_new(step, json_integer(batons[i]));
            json_array_append_new(steps, step);
        }
    return steps;
}

/* The same steps by `workers` threads: [worker, begin] each, in steps of equal length. */
static json_t *run_json(struct arena *arena, const struct cost_loop *loop, long workers) {
    struct cost_cluster cluster = cost_cluster_here(workers);
    struct cost_setting setting = {.ranks = 1, .threads = workers, .passes = 1};
    const struct cost_event *events = cost_timeline(arena, loop, &cluster, setting);
    json_t *list = json_array();
    double end = 0;
    for (long i = 0; i < loop->nsteps; ++i) {
        json_array_append_new(list, json_pack("[I, I]", (json_int_t)events[i].worker,
                                              (json_int_t)lround(events[i].begin)));
        end = fmax(end, events[i].end);
    }
    return json_pack("{s:I, s:I, s:o}", "workers", (json_int_t)workers, "length",
                     (json_int_t)lround(end), "events", list);
}

json_t *page_schedule(const struct page *page, const struct plan *plan) {
    bool example;
    if (!schedule_has(plan->strategy))
        return json_null();
    struct orrery_blocks blocks = blocks_of(plan, &example);
    struct cost_loop loop = schedule_loop(page->arena, plan->strategy, &blocks, NULL);
    json_t *runs = json_array();
    for (long workers = 1; workers < blocks.rows; workers *= 2)
        json_array_append_new(runs, run_json(page->arena, &loop, workers));
    json_array_append_new(runs, run_json(page->arena, &loop, blocks.rows));
    return json_pack("{s:I, s:I, s:b, s:b, s:o, s:o}", "rows", (json_int_t)blocks.rows, "columns",
                     (json_int_t)blocks.columns, "example", example, "pairs",
                     blocks.strategy == ORRERY_TOURNAMENT, "steps",
                     steps_json(page->arena, &blocks), "runs", runs);
}
