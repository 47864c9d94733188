/*
 * Which rank and which worker runs which rows of the grid: as runtime/execute assigns them.
 */
#include "runtime/schedule/share.h"
#include "scheduler/cost/machine.h"

/* What the run assigns by: the costs that were counted; else what was measured. */
static const double *costs_of(struct arena *arena, const struct cost_loop *loop) {
    double *costs = arena_alloc(arena, (size_t)loop->rows * sizeof *costs);
    if (loop->row_costs)
        return loop->row_costs;
    for (long i = 0; i < loop->nsteps; ++i)
        costs[loop->steps[i].row] += loop->steps[i].seconds;
    return costs;
}

static void stages_place(struct machine *machine, const double *costs, long low, long high) {
    long threads = machine->setting.threads;
    for (long thread = 0; thread < threads; ++thread) {
        long end = orrery_share_by_cost(costs, low, high, thread + 1, threads);
        for (long row = orrery_share_by_cost(costs, low, high, thread, threads); row < end; ++row)
            machine->worker_of[row] = machine->rank_of[row] * threads + thread;
    }
}

/* ---- all rows -------------------------------------------------------------------------------- */

void machine_rows(struct arena *arena, struct machine *machine) {
    long rows = machine->loop->rows, threads = machine->setting.threads;
    machine->rank_of = arena_alloc(arena, (size_t)rows * sizeof *machine->rank_of);
    machine->worker_of = arena_alloc(arena, (size_t)rows * sizeof *machine->worker_of);
    for (long row = 0; row < rows; ++row) {
        long rank = orrery_share_of(row, rows, machine->ranks);
        long low = orrery_share(rows, rank, machine->ranks),
             high = orrery_share(rows, rank + 1, machine->ranks);
        machine->rank_of[row] = rank;
        machine->worker_of[row] = rank * threads + orrery_share_of(row - low, high - low, threads);
        if (cost_loop_is_wave(machine->loop))
            machine->worker_of[row] = row % machine->workers;
    }
    for (long rank = 0; rank < machine->ranks && cost_loop_is_pipe(machine->loop); ++rank)
        stages_place(machine, costs_of(arena, machine->loop),
                     orrery_share(rows, rank, machine->ranks),
                     orrery_share(rows, rank + 1, machine->ranks));
}
