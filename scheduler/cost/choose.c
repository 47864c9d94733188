/* The grid of the least predicted time, and how it is looked for. */
#include "scheduler/cost/cost.h"

#include <stdlib.h>
#include <string.h>

/* `tried`: `count` grids as rows and parts of every other dim. `steps`: blocks simulated so far:
 * they are what takes time. */
enum { MOST_GRIDS = 64, MOST_PARTS = 4096, LEAST_ITERATIONS = 16 };
static const double most_steps = 4e6;

struct search {
    const struct cost_loop *loop;
    const struct cost_cluster *cluster;
    struct cost_setting setting;
    long tried[MOST_GRIDS][2];
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
        better =
            search->best.tried++ == 0 ||
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

static bool step(struct search *search, long rows, long across) {
    static const long by[][2] = {{2, 1},  {1, 2},   {2, 2},  {-2, 1},
                                 {1, -2}, {-2, -2}, {2, -2}, {-2, 2}};
    bool moved = false;
    for (size_t i = 0; i < sizeof by / sizeof *by; ++i) {
        long r = by[i][0] > 0 ? rows * by[i][0] : rows / -by[i][0];
        long c = by[i][1] > 0 ? across * by[i][1] : across / -by[i][1];
        c = search->loop->ndims > 1 ? c : 1;
        if (is_worth(search, r, c))
            moved |= try(search, r, c);
    }
    return moved;
}

struct cost_choice cost_choose_grid(const struct cost_loop *loop,
                                    const struct cost_cluster *cluster,
                                    struct cost_setting setting) {
    struct search search = {.loop = loop, .cluster = cluster, .setting = setting};
    for (long i = 0; i < loop->nsteps; ++i)
        search.iterations += loop->steps[i].iterations;
    try(&search, loop->rows, cost_loop_across(loop));
    long workers = setting.ranks * setting.threads;
    if (cost_loop_has_grids(loop) && workers > loop->rows) {
        long measured = cost_loop_across(loop);
        long across = loop->ndims == 2 && measured < workers ? workers : measured;
        if (is_worth(&search, workers, across))
            try(&search, workers, across);
    }
    while (cost_loop_has_grids(loop) && step(&search, search.best.rows, search.best.across))
        continue;
    if (search.best.seconds > 0.98 * search.best.measured) {
        search.best.rows = loop->rows;
        search.best.across = cost_loop_across(loop);
        search.best.seconds = search.best.measured;
    }
    return search.best;
}
