#include "runtime/execute/spills.h"

#include "runtime/layout/layout.h"
#include "runtime/layout/local.h"
#include "runtime/threads/workers.h"

#include "dsm/dsm.h"

static long slots_of(const struct orrery_region *region) {
    return region->blocks.slots[1];
}

static bool is_plain(const struct orrery_region *region) {
    return region->blocks.strategy == ORRERY_ROTATION && region->blocks.ndims == 2 &&
           !region->merge && !region->needs && !region->replay &&
           region->blocks.clocks == slots_of(region);
}

/* Of the budget a half is for parts that stay, so many as a worker's windows have. */
static long window_of(const struct orrery_region *region, size_t bytes) {
    long slots = slots_of(region), workers = orrery_workers_count();
    long most = slots / workers / dsm_ranks() > 1 ? slots / workers / dsm_ranks() : 1;
    double slot = (double)bytes / (double)slots * (double)workers;
    double fit = slot > 0 ? (double)dsm_spill_budget() / 2 / slot : (double)most;
    return fit < 1 ? 1 : fit < (double)most ? (long)fit : most;
}

bool orrery_spills_choose(const struct orrery_region *region, const struct orrery_state *state,
                          struct orrery_spills *spills) {
    size_t budget = dsm_spill_budget();
    if (!budget || !is_plain(region) || region->transfer || dsm_spill_bytes() <= budget / 2)
        return false;
    size_t rows = orrery_local_size(state, 0), columns = orrery_local_size(state, 1);
    *spills = (struct orrery_spills){.state = state};
    spills->rows_stay = rows <= budget / 2 && columns > rows;
    spills->window = spills->rows_stay ? 1 : window_of(region, columns);
    return rows > 0 || columns > 0;
}

/* Bytes of a dim's arrays, of all ranks. */
static size_t views_bytes(const struct orrery_spills *spills, int d) {
    size_t bytes = 0;
    for (int a = 0; a < spills->state->loop->narrays; ++a)
        if (spills->views[a] && orrery_layout_of(spills->state->loop, a) == d) {
            struct dsm_range span = dsm_array_span(spills->views[a]);
            bytes += dsm_is_spilled(span.low) ? (size_t)(span.high - span.low) : 0;
        }
    return bytes;
}

bool orrery_spills_share(const struct orrery_region *region, const struct orrery_state *state,
                         struct dsm_array *const *views, struct orrery_spills *spills) {
    size_t budget = dsm_spill_budget(), ranks = (size_t)dsm_ranks();
    if (!budget || !is_plain(region) || region->row_low == region->row_high)
        return false;
    *spills = (struct orrery_spills){.state = state, .views = views};
    size_t rows = views_bytes(spills, 0), columns = views_bytes(spills, 1);
    if ((rows + columns) / ranks <= budget / 2)
        return false;
    spills->rows_stay = rows / ranks <= budget / 2 && columns > rows;
    spills->window = spills->rows_stay ? 1 : window_of(region, columns);
    return true;
}

/* ---- what is needed -------------------------------------------------------------------------- */

typedef void say_range(const char *low, const char *high);

static void range_say(void *data, char *low, size_t bytes) {
    (*(say_range *const *)data)(low, low + bytes);
}

static void part_say(const struct orrery_spills *spills, int d, long part, say_range *say) {
    if (!spills->views && orrery_local_size(spills->state, d))
        orrery_local_part(spills->state, d, part, say);
    for (int a = 0; spills->views && a < spills->state->loop->narrays; ++a)
        if (spills->views[a] && orrery_layout_of(spills->state->loop, a) == d)
            dsm_part_ranges(spills->views[a], (int)part, range_say, &say);
}

static void row_say(const struct orrery_spills *spills, long row, say_range *say) {
    if (!spills->rows_stay)
        part_say(spills, 0, row, say);
}

/* The columns of a window; each is there once, since a window is no longer than all slots. What
 * another rank has cannot be read ahead. */
static void window_say(const struct orrery_region *region, long window, say_range *say) {
    const struct orrery_spills *spills = region->spills;
    long from = window * spills->window, slots = slots_of(region);
    bool some = !spills->views || say != dsm_spill_ahead;
    for (long time = from; time < from + spills->window && some; ++time) {
        long part = orrery_part_at(&region->blocks, 1, orrery_wrap(time, slots));
        if (part >= 0)
            part_say(spills, 1, part, say);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* The times of the walk's row in its window: some of [row, row + laps * slots), or none. */
static bool row_enter(const struct orrery_region *region, struct orrery_spill_walk *walk) {
    long length = region->spills->window;
    long last = walk->row + orrery_laps(region) * slots_of(region);
    long from = walk->window * length, to = from + length;
    walk->time = from < walk->row ? walk->row : from;
    walk->stop = to < last ? to : last;
    return walk->time < walk->stop;
}

static void row_begin(const struct orrery_region *region, const struct orrery_spill_walk *walk) {
    row_say(region->spills, walk->row, dsm_spill_use);
    if (walk->row > walk->begin)
        row_say(region->spills, walk->row - 1, dsm_spill_ahead);
    else
        window_say(region, walk->window + 1, dsm_spill_ahead);
}

/* The next row that has something to do; false: there is none any more. */
static bool row_next(const struct orrery_region *region, struct orrery_spill_walk *walk) {
    long last = walk->end - 1 + orrery_laps(region) * slots_of(region);
    do {
        if (--walk->row < walk->begin) {
            window_say(region, walk->window, dsm_spill_done);
            walk->window += 1;
            if (walk->window * region->spills->window >= last)
                return false;
            window_say(region, walk->window, dsm_spill_use);
            walk->row = walk->end - 1;
        }
    } while (!row_enter(region, walk));
    row_begin(region, walk);
    return true;
}

static bool row_first(const struct orrery_region *region, struct orrery_spill_walk *walk) {
    walk->started = true;
    walk->window = walk->begin / region->spills->window;
    walk->row = walk->end;
    window_say(region, walk->window, dsm_spill_use);
    return row_next(region, walk);
}

bool orrery_spill_next(const struct orrery_region *region, struct orrery_spill_walk *walk) {
    long slots = slots_of(region);
    if (!walk->started) {
        if (!row_first(region, walk))
            return false;
    } else if (++walk->time == walk->stop) {
        row_say(region->spills, walk->row, dsm_spill_done);
        if (!row_next(region, walk))
            return false;
    }
    walk->lap = (walk->time - walk->row) / slots;
    walk->clock = (walk->time - walk->row) % slots;
    return true;
}
