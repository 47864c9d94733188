/* The grid of the least predicted time, and how it is looked for. */
#include "scheduler/cost/cost.h"

#include <stdlib.h>
#include <string.h>

/* `tried`: `count` grids as rows and parts of every other dim. `steps`: blocks simulated so far:
 * they are what takes time. */
enum { MOST_GRIDS = 64, MOST_PARTS = 4096, LEAST_ITERATIONS = 16, MOST_FINER = 1 << 20 };
static const double most_steps = 4e6;

struct search {
    const struct cost_loop *loop;
    const struct cost_cluster *cluster;
    struct cost_setting setting;
    long tried[MOST_GRIDS + 2][2];
    int count;
    double iterations, steps;
    struct cost_choice best;
};

bool cost_is_better(double seconds, double moved, double than_seconds, double than_moved) {
    if (seconds < 0.99 * than_seconds || than_seconds < 0.99 * seconds)
        return seconds < than_seconds;
    return moved < than_moved || (moved <= than_moved && seconds < than_seconds);
}

static bool is_measured(const struct search *search, long rows, long across) {
    return rows == search->loop->rows && across == cost_loop_across(search->loop);
}

/* No dim has more parts than keys, as far as these are known; a pair has two of the first. */
static bool has_keys(const struct search *search, long rows, long across) {
    const struct cost_loop *loop = search->loop;
    bool enough = loop->keys[0] < 1 || (double)rows <= loop->keys[0];
    for (int d = 1; d < loop->ndims; ++d)
        enough = enough && (loop->keys[d] < 1 || (double)across <= loop->keys[d]);
    return enough;
}

static double blocks_of(const struct search *search, long rows, long across) {
    double blocks = (double)rows;
    for (int d = 1; d < search->loop->ndims; ++d)
        blocks *= (double)across;
    bool pairs = strategy_executor(search->loop->strategy) == ORRERY_TOURNAMENT;
    return pairs ? blocks * (double)(2 * rows - 1) : blocks;
}

static bool is_worth(const struct search *search, long rows, long across) {
    double blocks = blocks_of(search, rows, across);
    for (int i = 0; i < search->count; ++i)
        if (search->tried[i][0] == rows && search->tried[i][1] == across)
            return false;
    return search->count < MOST_GRIDS && rows >= 1 && across >= 1 && rows <= MOST_PARTS &&
           across <= MOST_PARTS && has_keys(search, rows, across) &&
           (search->steps + blocks) * (double)search->setting.passes < most_steps &&
           (is_measured(search, rows, across) || search->iterations >= LEAST_ITERATIONS * blocks);
}

/* True when it is the best so far. */
static bool try(struct search *search, long rows, long across) {
    struct arena *arena = arena_new();
    struct cost_loop made = *search->loop;
    bool better = false;
    search->tried[search->count][0] = rows;
    search->tried[search->count++][1] = across;
    if (is_measured(search, rows, across) ||
        cost_loop_regrid(arena, search->loop, rows, across, &made)) {
        struct cost_result result =
            cost_simulate_time(arena, &made, search->cluster, search->setting);
        search->steps += (double)made.nsteps;
        ++search->best.tried;
        better =
            search->best.seconds == 0 ||
            cost_is_better(result.seconds, result.moved, search->best.seconds, search->best.moved);
        if (better) {
            search->best.rows = rows;
            search->best.across = across;
            search->best.seconds = result.seconds;
            search->best.moved = result.moved;
        }
        if (is_measured(search, rows, across))
            search->best.measured = result.seconds;
    }
    arena_free(arena);
    return better;
}

/* Times as many rows, and times as many parts: `by`/`of` each. */
struct move {
    long by[2], of[2];
};

/* Far ones, then near ones: a row or part more than doubling reaches is worth up to a tenth. */
static const struct move far[] = {
    {{2, 1}, {1, 1}}, {{1, 2}, {1, 1}}, {{2, 2}, {1, 1}}, {{1, 1}, {2, 1}},
    {{1, 1}, {1, 2}}, {{1, 1}, {2, 2}}, {{2, 1}, {1, 2}}, {{1, 2}, {2, 1}},
};
static const struct move near[] = {
    {{3, 1}, {2, 1}}, {{1, 3}, {1, 2}}, {{3, 3}, {2, 2}}, {{3, 1}, {4, 1}}, {{1, 3}, {1, 4}},
    {{3, 3}, {4, 4}}, {{5, 1}, {4, 1}}, {{1, 5}, {1, 4}}, {{5, 5}, {4, 4}},
};

/* True when one of the moves from the best grid found a better one. */
static bool step(struct search *search, const struct move *moves, size_t count) {
    long rows = search->best.rows, across = search->best.across;
    bool moved = false;
    for (size_t i = 0; i < count; ++i) {
        long r = rows * moves[i].by[0] / moves[i].of[0];
        long c = search->loop->ndims > 1 ? across * moves[i].by[1] / moves[i].of[1] : 1;
        if (is_worth(search, r, c))
            moved |= try(search, r, c);
    }
    return moved;
}

#define STEP(search, moves) step(search, moves, sizeof moves / sizeof *moves)

/* From this grid downhill. */
static void descend(struct search *search, long rows, long across) {
    struct cost_choice before = search->best;
    search->best.seconds = 0;
    try(search, rows, across);
    while (STEP(search, far) || STEP(search, near))
        continue;
    bool better =
        cost_is_better(search->best.seconds, search->best.moved, before.seconds, before.moved);
    if (search->best.seconds == 0 || (before.tried > 0 && !better)) {
        before.tried = search->best.tried;
        search->best = before;
    }
}

bool cost_finer_grid(const struct cost_loop *loop, long workers, long *rows, long *across) {
    *rows = loop->rows;
    *across = cost_loop_across(loop);
    if (workers <= loop->rows)
        return false;
    *rows = workers;
    if (loop->ndims == 2 && *across < workers)
        *across = workers * workers <= MOST_FINER ? workers : MOST_FINER / workers;
    *across = *across > 0 ? *across : 1;
    return true;
}

struct cost_choice cost_choose_grid(const struct cost_loop *loop,
                                    const struct cost_cluster *cluster,
                                    struct cost_setting setting) {
    struct search search = {.loop = loop, .cluster = cluster, .setting = setting};
    search.iterations = cost_loop_iterations(loop);
    long rows, across;
    if (!cost_loop_has_grids(loop))
        try(&search, loop->rows, cost_loop_across(loop));
    else
        descend(&search, loop->rows, cost_loop_across(loop));
    if (cost_loop_has_grids(loop) &&
        cost_finer_grid(loop, setting.ranks * setting.threads, &rows, &across))
        descend(&search, rows, across);
    if (search.best.seconds > 0.98 * search.best.measured) {
        search.best.rows = loop->rows;
        search.best.across = cost_loop_across(loop);
        search.best.seconds = search.best.measured;
    }
    return search.best;
}
