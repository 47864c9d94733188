/* The grid of the least predicted time, and how it is looked for. */
#include "scheduler/cost/cost.h"

#include <math.h>
#include <stdlib.h>

/* `tried`: `count` grids as rows, columns. `steps`: blocks simulated so far: they are what takes
 * time. */
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

static bool is_measured(const struct search *search, long rows, long columns) {
    return rows == search->loop->rows && columns == search->loop->columns;
}

static bool is_worth(const struct search *search, long rows, long columns) {
    double blocks = (double)rows * (double)columns;
    for (int i = 0; i < search->count; ++i)
        if (search->tried[i][0] == rows && search->tried[i][1] == columns)
            return false;
    return search->count < MOST_GRIDS && rows >= 1 && columns >= 1 && rows <= MOST_PARTS &&
           columns <= MOST_PARTS &&
           (search->steps + blocks) * (double)search->setting.passes < most_steps &&
           (is_measured(search, rows, columns) || search->iterations >= LEAST_ITERATIONS * blocks);
}

/* True when it is the best so far. */
static bool try(struct search *search, long rows, long columns) {
    struct arena *arena = arena_new();
    struct cost_loop made = *search->loop;
    bool better = false;
    search->tried[search->count][0] = rows;
    search->tried[search->count++][1] = columns;
    if (is_measured(search, rows, columns) ||
        cost_loop_recut(arena, search->loop, rows, columns, &made)) {
        struct cost_result result =
            cost_simulate_time(arena, &made, search->cluster, search->setting);
        search->steps += (double)made.nsteps;
        better =
            search->best.tried++ == 0 ||
            cost_is_better(result.seconds, result.moved, search->best.seconds, search->best.moved);
        if (better) {
            search->best.rows = rows;
            search->best.columns = columns;
            search->best.seconds = result.seconds;
            search->best.moved = result.moved;
        }
        if (is_measured(search, rows, columns))
            search->best.measured = result.seconds;
    }
    arena_free(arena);
    return better;
}

static bool step(struct search *search, long rows, long columns) {
    static const long by[][2] = {{2, 1},  {1, 2},   {2, 2},  {-2, 1},
                                 {1, -2}, {-2, -2}, {2, -2}, {-2, 2}};
    bool moved = false;
    for (size_t i = 0; i < sizeof by / sizeof *by; ++i) {
        long r = by[i][0] > 0 ? rows * by[i][0] : rows / -by[i][0];
        long c = by[i][1] > 0 ? columns * by[i][1] : columns / -by[i][1];
        c = search->loop->nbatons ? c : 1;
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
    try(&search, loop->rows, loop->columns);
    long workers = setting.ranks * setting.threads;
    if (cost_loop_has_grids(loop) && workers > loop->rows) {
        long columns = loop->nbatons && loop->columns < workers ? workers : loop->columns;
        if (is_worth(&search, workers, columns))
            try(&search, workers, columns);
    }
    while (cost_loop_has_grids(loop) && step(&search, search.best.rows, search.best.columns))
        continue;
    if (search.best.seconds > 0.98 * search.best.measured) {
        search.best.rows = loop->rows;
        search.best.columns = loop->columns;
        search.best.seconds = search.best.measured;
    }
    return search.best;
}
