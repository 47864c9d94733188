/*
 * A wavefront on several ranks, on the model (docs/runtime.md, "Wavefronts on several ranks"):
 * panels of neighbouring rows go to rank after rank; a panel goes through stretches of columns, and
 * what the next panel needs of a stretch is sent behind it.
 */
#include "scheduler/cost/machine.h"

#include <math.h>
#include <string.h>

/* Seconds of a rank's thread for a message besides its way. */
static const double sending = 2e-6;

enum { MOST_PANELS = 4096, MOST_BLOCKS = 1 << 22 };

static long least(long a, long b) {
    return a < b ? a : b;
}

static double later(double a, double b) {
    return a > b ? a : b;
}

/* What is sent at `time` is there; memory of a node that ranks share is copied all the same. */
static double arrival(struct machine *machine, long from, long to, double time, double bytes) {
    const struct cost_link *link = machine_link_of(machine, from, to);
    machine->moved += bytes;
    time += machine_copies(machine, bytes);
    time += machine->without == LATENCY ? 0 : link->latency;
    return time + (machine->without == BANDWIDTH ? 0 : bytes / link->bandwidth);
}

/* One block of row `row`, not before `start`; returns when it ends. */
static double block_run(struct machine *machine, long worker, long row, long column, double start) {
    const struct cost_loop *loop = machine->loop;
    const struct cost_step *step = &loop->steps[column * loop->rows + row];
    if (!cost_step_runs(step))
        return start;
    double work = machine->without == IMBALANCE ? machine->mean : step->seconds;
    start = later(start, machine->free[worker]);
    double end = start + work * machine->slower + machine->cluster->handing;
    if (machine->events)
        machine->events[step - loop->steps] = (struct cost_event){worker, start, end};
    return machine->free[worker] = end;
}

/* A row's blocks in a stretch; `ready` per column: when the row before is done with it. Returns
 * when this one is done with the stretch. */
static double row_run(struct machine *machine, long worker, long row, long from, long to,
                      double begin) {
    double *ready = machine->ready;
    for (long column = from; column < to; ++column)
        begin = ready[column] =
            later(begin, block_run(machine, worker, row, column, later(begin, ready[column])));
    return begin;
}

/* `told`: per stretch, when what the panel before wrote there has come. It becomes the time when
 * this panel's has come to the next one. */
/* Behind the first of its stretches a row takes up again where it was, as it did when it began. */
static double stretch_run(struct machine *machine, long worker, long row, long stretch,
                          double begin) {
    long from = stretch * machine->panels.pace;
    long to = least(from + machine->panels.pace, machine->loop->columns);
    double before = machine->free[worker], end = row_run(machine, worker, row, from, to, begin);
    if (stretch == 0 || machine->free[worker] == before)
        return end;
    return machine->free[worker] = later(end, machine->free[worker]) + machine->panels.again;
}

static void panel_run(struct machine *machine, const struct cost_panels *panels, long panel,
                      double *told) {
    long rows = machine->loop->rows, columns = machine->loop->columns;
    long rank = panel % machine->ranks, threads = machine->setting.threads;
    long low = panel * rows / panels->count, high = (panel + 1) * rows / panels->count;
    long stretches = (columns + panels->pace - 1) / panels->pace;
    double bytes = machine->loop->told_bytes / (double)stretches;
    memset(machine->ready, 0, (size_t)columns * sizeof *machine->ready);
    for (long s = 0; s < stretches; ++s) {
        double begin = told[s], end = begin;
        for (long row = low; row < high; ++row)
            end = stretch_run(machine, rank * threads + (row - low) % threads, row, s,
                              row == low ? begin : 0);
        if (panel + 1 == panels->count || end == begin) {
            told[s] = end;
            continue;
        }
        machine->free[rank * threads + (high - 1 - low) % threads] += sending;
        told[s] = arrival(machine, rank, (rank + 1) % machine->ranks, end + sending, bytes);
    }
}

/* What ranks need of each other's last pass comes from rank 0 before the pass, and what they wrote
 * goes there behind it, packed at one end and unpacked at the other. */
double cost_panels_bring(struct machine *machine, double time) {
    for (long rank = 1; rank < machine->ranks; ++rank)
        time = arrival(machine, 0, rank, time, machine->loop->told_bytes);
    return time;
}

double cost_panels_return(struct machine *machine, double time) {
    double bytes = machine->loop->written_bytes / (double)machine->ranks;
    for (long rank = 1; rank < machine->ranks; ++rank)
        time = arrival(machine, rank, 0, time, bytes) + bytes / machine_copy_rate;
    return time;
}

void cost_panels_run(struct machine *machine) {
    for (long s = 0; s < machine->loop->columns; ++s)
        machine->told[s] = 0;
    for (long panel = 0; panel < machine->panels.count; ++panel)
        panel_run(machine, &machine->panels, panel, machine->told);
}

/* ---- how many, and how long stretches are: as the run chooses them --------------------------- */

/* How much longer the block takes in which a row begins than those behind it. */
static double again_of(const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    double first = 0, others = 0, nfirst = 0, nothers = 0;
    for (long row = 0; row < loop->rows; ++row) {
        bool begun = false;
        for (long column = 0; column < loop->columns; ++column) {
            const struct cost_step *step = &loop->steps[column * loop->rows + row];
            if (!cost_step_runs(step))
                continue;
            *(begun ? &others : &first) += step->seconds;
            *(begun ? &nothers : &nfirst) += 1;
            begun = true;
        }
    }
    double more = nothers > 0 ? first / nfirst - others / nothers : 0;
    return more > 0 ? more * machine->slower : 0;
}

static double seconds_of(struct machine *machine, struct cost_panels panels) {
    machine->panels = panels;
    for (long w = 0; w < machine->workers; ++w)
        machine->free[w] = 0;
    cost_panels_run(machine);
    return machine_latest(machine);
}

void cost_panels_choose(struct machine *machine) {
    long rows = machine->loop->rows, columns = machine->loop->columns;
    double again = again_of(machine);
    struct cost_panels best = {least(machine->ranks, rows), columns, again};
    double found = INFINITY;
    for (long each = 1; each == 1 || each * machine->ranks <= rows; each *= 2) {
        long count = least(least(each * machine->ranks, rows), MOST_PANELS);
        for (long stretches = 4 * machine->ranks;; stretches *= 2) {
            long pace = columns / stretches > 1 ? columns / stretches : 1;
            double seconds = seconds_of(machine, (struct cost_panels){count, pace, again});
            if (seconds < 0.98 * found) {
                found = seconds;
                best = machine->panels;
            }
            if (pace == 1 || rows * stretches > MOST_BLOCKS)
                break;
        }
        if (count == MOST_PANELS || rows * columns > MOST_BLOCKS)
            break;
    }
    machine->panels = best;
    machine->moved = 0;
}
