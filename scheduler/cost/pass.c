/*
 * A pass on the model: blocks in the order in which workers come to them, each when what it waits
 * for is there (docs/runtime.md: Clocks, Levels, Wavefronts).
 */
#include "scheduler/cost/machine.h"

#include <string.h>

/* ---- batons ---------------------------------------------------------------------------------- */

/* What travels with a baton: slots of a pipeline are empty on their way back to the first row. */
static double bytes_along(const struct machine *machine, long baton, bool back) {
    return back && cost_loop_is_pipe(machine->loop) ? 1 : machine->loop->baton_bytes[baton];
}

/* Seconds of the processor for the messages of a baton, at either end. */
static double handling(const struct machine *machine, bool inside, long baton, bool back) {
    const struct cost_link *link = inside ? &machine->cluster->within : &machine->cluster->between;
    bool stays = inside && machine_shares(machine);
    if (machine->without == LATENCY)
        return 0;
    return machine->loop->baton_messages[baton] * link->overhead +
           (stays ? 0 : bytes_along(machine, baton, back) * link->per_byte);
}

static double handling_in(const struct machine *machine, long from, long to, long baton) {
    bool inside = machine_node(machine, from) == machine_node(machine, to);
    return from == to ? 0 : handling(machine, inside, baton, to < from);
}

/* When the baton, if it is elsewhere, is on the rank; and what it takes there to receive it. */
static double baton_comes(struct machine *machine, long b, long rank, double *coming) {
    const struct baton *baton = &machine->batons[b];
    if (baton->rank == rank)
        return baton->time;
    if (machine->moves[b]) {
        *coming += cost_touched_handling(machine, b, rank, false);
        return cost_touched_arrival(machine, b, rank, 0);
    }
    *coming += handling_in(machine, baton->rank, rank, b);
    machine->messages += machine->loop->baton_messages[b];
    return machine_arrival(machine, baton->rank, rank, baton->time,
                           bytes_along(machine, b, rank < baton->rank));
}

double machine_home(struct machine *machine, long b, const struct baton *home) {
    struct baton *baton = &machine->batons[b];
    double coming = 0, time = baton_comes(machine, b, home->rank, &coming);
    double *free = &machine->free[home->worker];
    *baton = *home;
    if (coming > 0)
        *free = time = (time > *free ? time : *free) + coming;
    return time;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The step's worker runs it, or its share of a visit, from `start` on, or when it is free. Returns
 * when it ends. */
static double block_run(struct machine *machine, const struct cost_step *step, double start) {
    long worker = machine->worker_of[step->row];
    double work = machine->without == IMBALANCE ? machine->mean : step->seconds;
    start = machine->free[worker] > start ? machine->free[worker] : start;
    double visits = (double)machine->loop->visits;
    double end = start + work / visits * machine->slower + machine->cluster->handing;
    if (machine->events)
        machine->events[step - machine->loop->steps] = (struct cost_event){worker, start, end};
    return machine->free[worker] = end;
}

/* On to the next row; another rank is sent it by the worker that had it. */
static void baton_pass(struct machine *machine, const struct cost_step *step, int i, double end) {
    unsigned char leaves = machine->leaves[step - machine->loop->steps] >> i;
    double *free = &machine->free[machine->worker_of[step->row]];
    long b = step->batons[i], rank = machine->rank_of[step->row];
    if (leaves & LEAVES)
        *free = end = (end > *free ? end : *free) +
                      (machine->moves[b] ? cost_touched_handling(machine, b, rank, true)
                                         : handling(machine, !(leaves & LEAVES_NODE), b,
                                                    step->row + 1 == machine->loop->rows));
    if (machine->moves[b])
        machine->left[b * machine->ranks + rank] = end;
    machine->batons[b].time = end;
    machine->batons[b].rank = rank;
}

/* Behind its block a worker looks at the next message that is to come, and, while the link is at
 * it, at one that has left. */
static void look(struct machine *machine, const struct cost_step *step) {
    long rank = machine->rank_of[step->row];
    double *free = &machine->free[machine->worker_of[step->row]];
    double looks = machine->sending[machine_node(machine, rank)] > *free ? 2 : 1;
    if (machine->ranks > 1 && step->nbatons > 0 && machine->without != LATENCY)
        *free += looks * machine_link(machine)->test;
}

static void step_run(struct machine *machine, const struct cost_step *step) {
    long rank = machine->rank_of[step->row];
    double start = machine->free[machine->worker_of[step->row]], coming = 0;
    for (int i = 0; i < step->nbatons; ++i) {
        double here = baton_comes(machine, step->batons[i], rank, &coming);
        start = here > start ? here : start;
    }
    double end = block_run(machine, step, start + coming);
    for (int i = 0; i < step->nbatons; ++i)
        baton_pass(machine, step, i, end);
    look(machine, step);
}

double machine_latest(const struct machine *machine) {
    double end = 0;
    for (long w = 0; w < machine->workers; ++w)
        end = machine->free[w] > end ? machine->free[w] : end;
    return end;
}

/* ---- levels ---------------------------------------------------------------------------------- */
/* A block waits for the workers of the rows it needs,
 * which have to be done with all columns before. */

/* Seconds of a rank's thread for a message that it waits for, besides its way. */
static const double turning = 2e-6;

/* Ranks tell each other after every column what they wrote,
 * all at once: some eight bytes per iteration. */
static void column_share(struct machine *machine, double iterations) {
    const struct cost_link *link = machine_link(machine);
    double ranks = (double)machine->ranks, end = machine_latest(machine);
    double message = 2 * link->overhead + turning;
    end += machine->without == LATENCY ? 0 : link->latency + (ranks - 1) * message;
    machine->now = end;
    end += machine_stream(machine, 0, 8 * iterations);
    machine->moved += 8 * iterations * (ranks - 1);
    for (long w = 0; w < machine->workers; ++w)
        machine->free[w] = end;
}

static double needs_met(const struct machine *machine, uint64_t needs) {
    long rows = machine->loop->rows;
    double time = 0;
    for (long row = 0; needs && row < rows; ++row) {
        long bit = rows <= 64 ? row : row * 64 / rows;
        double ready = machine->ready[machine->worker_of[row]];
        if (needs >> bit & 1)
            time = ready > time ? ready : time;
    }
    return time;
}

/* The steps of a loop by levels are all blocks, column by column. */
static void levels_run(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    for (long first = 0; first + loop->rows <= loop->nsteps; first += loop->rows) {
        double iterations = 0;
        memcpy(machine->ready, machine->free, (size_t)machine->workers * sizeof *machine->ready);
        for (long i = first; i < first + loop->rows; ++i) {
            const struct cost_step *step = &loop->steps[i];
            iterations += step->iterations;
            if (cost_step_runs(step))
                block_run(machine, step, needs_met(machine, step->needs));
        }
        if (machine->ranks > 1)
            column_share(machine, iterations);
    }
}

/* ---- wavefronts ------------------------------------------------------------------------------ */
/* Row after row, each worker its own; a row waits in every column for the one before it. `ready`:
 * when the row before is done with a column. */

static void wave_run(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    for (long column = 0; column < loop->columns; ++column)
        machine->ready[column] = 0;
    for (long row = 0; row < loop->rows; ++row) {
        double before = 0;
        for (long column = 0; column < loop->columns; ++column) {
            const struct cost_step *step = &loop->steps[column * loop->rows + row];
            double done = machine->ready[column];
            if (cost_step_runs(step))
                done = block_run(machine, step, done);
            done = done > before ? done : before;
            machine->ready[column] = before = done;
        }
    }
}

void machine_pass(struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    if (cost_loop_is_levels(loop))
        levels_run(machine);
    else if (machine_has_panels(machine))
        cost_panels_run(machine);
    else if (cost_loop_is_wave(loop))
        wave_run(machine);
    else
        for (long i = 0; i < loop->nsteps; ++i)
            step_run(machine, &loop->steps[i]);
}
