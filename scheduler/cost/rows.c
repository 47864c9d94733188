/*
 * Which rank and which worker runs which rows of the grid: as runtime/execute deals them.
 */
#include "scheduler/cost/machine.h"

#include <string.h>

long machine_share(long count, long i, long parts) {
    return (long)((double)count * (double)i / (double)parts);
}

/* The part of [0, count) that `item` is in: the inverse of share. */
static long part_of(long item, long count, long parts) {
    long part = (long)((double)(item + 1) * (double)parts / (double)count);
    while (part > 0 && machine_share(count, part, parts) > item)
        --part;
    while (part + 1 < parts && machine_share(count, part + 1, parts) <= item)
        ++part;
    return part;
}

/* ---- the stages of a pipeline: neighbours, by what they cost (runtime/execute/pipe.c) ---- */

/* With so much for each at most:
 * where the rows of worker `worker` begin; `high` when all are given. */
static long row_within(const double *costs, long low, long high, double most, long worker) {
    long row = low;
    for (long w = 0; w < worker && row < high; ++w)
        for (double sum = 0; row < high && (sum == 0 || sum + costs[row] <= most); ++row)
            sum += costs[row];
    return row;
}

/* The least of the sums of neighbours that is enough for all rows. */
static double least_enough(const double *costs, long low, long high, long workers) {
    double least = 0;
    for (long from = low; from < high; ++from) {
        double sum = 0;
        for (long to = from; to < high; ++to) {
            sum += costs[to];
            bool better = least == 0 || sum < least;
            if (better && row_within(costs, low, high, sum, workers) == high)
                least = sum;
        }
    }
    return least;
}

/* What the run deals by: the costs that were counted; else what was measured. */
static const double *costs_of(struct arena *arena, const struct cost_loop *loop) {
    double *costs = arena_alloc(arena, (size_t)loop->rows * sizeof *costs);
    if (loop->row_costs)
        return loop->row_costs;
    memset(costs, 0, (size_t)loop->rows * sizeof *costs);
    for (long i = 0; i < loop->nsteps; ++i)
        costs[loop->steps[i].row] += loop->steps[i].seconds;
    return costs;
}

static void stages_place(struct machine *machine, const double *costs, long low, long high) {
    long threads = machine->setting.threads;
    double most = least_enough(costs, low, high, threads);
    for (long row = low; row < high; ++row) {
        long thread = 0;
        while (thread + 1 < threads && row_within(costs, low, high, most, thread + 1) <= row)
            ++thread;
        machine->worker_of[row] = machine->rank_of[row] * threads + thread;
    }
}

/* ---- all rows ---- */

void machine_rows(struct arena *arena, struct machine *machine) {
    long rows = machine->loop->rows, threads = machine->setting.threads;
    machine->rank_of = arena_alloc(arena, (size_t)rows * sizeof *machine->rank_of);
    machine->worker_of = arena_alloc(arena, (size_t)rows * sizeof *machine->worker_of);
    for (long row = 0; row < rows; ++row) {
        long rank = part_of(row, rows, machine->ranks);
        long low = machine_share(rows, rank, machine->ranks),
             high = machine_share(rows, rank + 1, machine->ranks);
        machine->rank_of[row] = rank;
        machine->worker_of[row] = rank * threads + part_of(row - low, high - low, threads);
        if (cost_loop_is_wave(machine->loop))
            machine->worker_of[row] = row % machine->workers;
    }
    for (long rank = 0; rank < machine->ranks && cost_loop_is_pipe(machine->loop); ++rank)
        stages_place(machine, costs_of(arena, machine->loop),
                     machine_share(rows, rank, machine->ranks),
                     machine_share(rows, rank + 1, machine->ranks));
}
