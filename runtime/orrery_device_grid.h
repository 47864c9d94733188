/*
 * The end of orrery_device.h: which blocks a row of a kernel's grid has, and what it waits for.
 * Included by that header alone.
 */
#ifndef ORRERY_DEVICE_GRID_H
#define ORRERY_DEVICE_GRID_H

/* ---- the grid (runtime/schedule/blocks.c) ---------------------------------------------------- */

/* The part of dim d that stands in a slot, -1: none. */
ORRERY_DEVICE long orrery_part_in(const struct orrery_kernel_job *job, int d, long slot) {
    const long parts = job->grid.parts[d];
    if (parts >= job->rows)
        return slot;
    const long part = (slot * parts + job->rows - 1) / job->rows;
    return part < parts && part * job->rows / parts == slot ? part : -1;
}

/* The column of row `row` at clock `clock`, -1: none. */
ORRERY_DEVICE long orrery_column(const struct orrery_kernel_job *job, long row, long clock) {
    long column = 0, scale = 1;
    if (job->grid.in_order)
        return clock;
    for (int d = job->grid.ndims - 1; d > 0; --d) {
        const long above = clock / job->grid.slots[d];
        const long part = orrery_part_in(job, d, (row + clock - above) % job->grid.slots[d]);
        if (part < 0)
            return -1;
        column += scale * part;
        scale *= job->grid.parts[d];
        clock = above;
    }
    return column + scale * clock;
}

/* The two parts that meet at row `row` in round `round`, number 0 or 1 of them. */
ORRERY_DEVICE long orrery_paired(const struct orrery_kernel_job *job, long row, long round, int h) {
    const long circle = job->grid.parts[0] - 1;
    if (h == 0)
        return (round - row + circle) % circle;
    return row == 0 ? circle : (round + row) % circle;
}

/* The h-th baton of a block. */
ORRERY_DEVICE long orrery_baton(const struct orrery_kernel_job *job, long row, long column, int h) {
    int n = 0;
    for (int d = job->grid.ndims - 1; d > 0; --d) {
        if (job->grid.first[d] >= 0 && n++ == h)
            return job->grid.first[d] + column % job->grid.parts[d];
        column /= job->grid.parts[d];
    }
    return job->grid.first[0] + orrery_paired(job, row, column, h - n);
}

/* ---- waiting --------------------------------------------------------------------------------- */

/*
 * The flag counts up to `turn`, or has counted beyond it. It is looked at without order, since every
 * acquire empties the first-level cache of the multiprocessor; one acquire behind it, which reads
 * what was seen or more, orders all that follows.
 */
ORRERY_DEVICE void orrery_await(const unsigned *flag, unsigned turn) {
    while ((int)(orrery_flag_look(flag) - turn) < 0)
        orrery_pause();
    (void)orrery_flag_load(flag);
}

/* Another rank has set the flag, in the host's memory. */
ORRERY_DEVICE void orrery_await_outside(const unsigned *flag) {
    while (!orrery_outside_look(flag))
        orrery_pause();
    (void)orrery_outside_load(flag);
}

/* What a lane has to do with a baton of a block, looked up before it waits. `arrival`: it comes
 * from another rank; `departure`: it goes to one; -1: neither. */
struct orrery_visit {
    long baton;
    unsigned turn;
    int arrival, departure;
};

/* Of block i: lane h has the h-th baton's. */
ORRERY_DEVICE struct orrery_visit orrery_visit_find(const struct orrery_kernel_job *job, long i,
                                                    long row, long column) {
    const int lane = orrery_lane_number();
    const long visit = i * job->grid.held + lane;
    struct orrery_visit v = {-1, 0, -1, -1};
    if (column < 0 || job->needs || lane >= job->grid.held)
        return v;
    v.baton = orrery_baton(job, row, column, lane);
    v.turn = job->turns[visit];
    v.arrival = job->arrivals ? job->arrivals[visit] : -1;
    v.departure = job->departures ? job->departures[visit] : -1;
    return v;
}

ORRERY_DEVICE void orrery_await_baton(const struct orrery_kernel_job *job,
                                      const struct orrery_visit *visit) {
    if (visit->arrival < 0)
        orrery_await(job->flags + visit->baton, visit->turn);
    else
        orrery_await_outside(job->here + visit->arrival);
}

ORRERY_DEVICE void orrery_give_baton(const struct orrery_kernel_job *job,
                                     const struct orrery_visit *visit) {
    orrery_flag_store(job->flags + visit->baton, visit->turn + 1);
    if (visit->departure >= 0)
        orrery_outside_store(job->left + visit->departure, 1);
}

/* The warp that has row `row`. */
ORRERY_DEVICE long orrery_warp_of(const struct orrery_kernel_job *job, long row) {
    const long rows = job->row_high - job->row_low;
    return ((row - job->row_low + 1) * orrery_warp_count() - 1) / rows;
}

/* Lane l waits for the rows of bits l and l + 32 (orrery_levels_bit). */
ORRERY_DEVICE void orrery_await_rows(const struct orrery_kernel_job *job, unsigned long needs,
                                     long column) {
    const long rows = job->rows, bits = rows < 64 ? rows : 64;
    for (long bit = orrery_lane_number(); bit < bits; bit += ORRERY_LANES) {
        if (!(needs >> bit & 1))
            continue;
        const long first = (bit * rows + bits - 1) / bits, end = ((bit + 1) * rows - 1) / bits;
        for (long w = orrery_warp_of(job, first); w <= orrery_warp_of(job, end); ++w)
            if (w != orrery_warp_number())
                orrery_await(job->flags + w, (unsigned)column);
    }
}

/*
 * Waits until block i may run: what earlier blocks wrote can be read. Each lane waits for its baton.
 * 0: there is nothing to run, and nobody waits for it.
 */
ORRERY_DEVICE int orrery_take(const struct orrery_kernel_job *job, const struct orrery_visit *visit,
                              long i, long column) {
    if (job->needs) {
        if (job->starts[i] == job->starts[i + 1])
            return 0;
        orrery_await_rows(job, job->needs[i], column);
    } else if (visit->baton >= 0) {
        orrery_await_baton(job, visit);
    }
    orrery_meet();
    return 1;
}

/* Hands the batons on: what the warp wrote comes before. */
ORRERY_DEVICE void orrery_pass(const struct orrery_kernel_job *job,
                               const struct orrery_visit *visit) {
    orrery_meet();
    if (visit->baton >= 0)
        orrery_give_baton(job, visit);
}

/* ---- wavefronts ------------------------------------------------------------------------------ */

/* Far beyond every position (runtime/execute/wave.c). */
#define ORRERY_NOWHERE (0x7fffffffffffffffL / 4)

/* Where a loop from `first` by `step` comes to at
 * or behind `from`, in the direction of the step. */
ORRERY_DEVICE long orrery_enter_at(long first, long step, long from) {
    const long behind = step > 0 ? from - first : first - from, pace = step > 0 ? step : -step;
    return behind <= 0 ? first : first + (behind + pace - 1) / pace * step;
}

ORRERY_DEVICE long orrery_sooner_of(long a, long b, long step) {
    return (step > 0) == (a < b) ? a : b;
}

/* The row before is done with so many columns. The first one of a launch waits for nobody, or for
 * what other ranks make for the stretch. */
ORRERY_DEVICE void orrery_wave_take(const struct orrery_kernel_job *job, long row, long columns) {
    if (row > job->panel_low && orrery_lane_number() == 0)
        orrery_await(job->flags + row - 1, (unsigned)columns);
    else if (job->pace && orrery_lane_number() == 0)
        orrery_await_outside(job->here + (columns - 1) / job->pace);
    orrery_meet();
}

/* The last row is done with a stretch, or more: so are all. */
ORRERY_DEVICE void orrery_wave_pass(const struct orrery_kernel_job *job, long row, long columns) {
    orrery_meet();
    if (orrery_lane_number() != 0)
        return;
    orrery_flag_store(job->flags + row, (unsigned)columns);
    if (job->pace && row + 1 == job->panel_high &&
        (columns % job->pace == 0 || columns == job->clock_high))
        orrery_outside_store(job->left, (unsigned)columns);
}

/* Of columns from this one on the row has nothing: it is done with them when those before it are,
 * stretch by stretch. */
ORRERY_DEVICE void orrery_wave_rest(const struct orrery_kernel_job *job, long row, long column) {
    const long pace = job->pace ? job->pace : job->clock_high;
    long end = column;
    do {
        const long next = (end / pace + 1) * pace;
        end = next < job->clock_high ? next : job->clock_high;
        orrery_wave_take(job, row, end);
        orrery_wave_pass(job, row, end);
    } while (end < job->clock_high);
}

/* Levels: the warp's rows are done with the column. */
ORRERY_DEVICE void orrery_column_done(const struct orrery_kernel_job *job, long column) {
    orrery_meet();
    if (job->needs && orrery_lane_number() == 0)
        orrery_flag_store(job->flags + orrery_warp_number(), (unsigned)column + 1);
}

#endif
