/*
 * For a profile, on one rank: what several would send each other, and have, if the large arrays of
 * this loop were served (docs/served.md). The slices say what rows touch; what they write counts as
 * changed.
 */
#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/merge/serve_private.h"
#include "runtime/report/profile.h"

#include <string.h>

/* Numbers of ranks that are asked about. */
static const int counts[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
enum { COUNTS = sizeof counts / sizeof *counts };

/* One array for one number of ranks. A phase is counted from one here; 0: none. */
struct seen {
    size_t n, size;         /* elements; bytes of one */
    int touched;            /* its number in the lists which touches() makes */
    uint32_t *listed;       /* per element: the last phase that listed it */
    uint64_t *ranks;        /* ... a bit per rank that did */
    uint64_t *ranks_before; /* ... that did in the phase before */
    uint64_t *wrote;        /* ... the last row and phase that wrote it */
    uint32_t *now, *before; /* ... the last phase in which a row did; the one before */
    uint64_t *line;         /* per line: the last rank and phase */
};

/* What serving would move, on so many ranks. */
struct measure {
    const struct orrery_region *region; /* the one that is measured */
    const struct orrery_loop *loop;     /* of that region */
    struct orrery_touches touches;      /* of one iteration, as the loop says it */
    struct orrery_unit *units;          /* the arrays */
    struct seen seen;                   /* elements of the rank that is looked at */
    /* of the cluster that is imagined; of the grid; of a pass, each with a merge at its end */
    long ranks, rows, phases;
    struct orrery_profile_served *out; /* what comes of it */
    size_t elements, lines, listed;    /* of that rank: touched once, their lines, all touches */
};

static void touches_grow(struct orrery_touches *touches) {
    touches->room = touches->room ? 2 * touches->room : 4096;
    touches->items =
        dsm_own_realloc(touches->items, (size_t)touches->room * sizeof *touches->items);
}

static void *numbers(size_t n, size_t size) {
    return orrery_memory_map((n + 1) * size);
}

static void seen_start(struct seen *seen, size_t bytes, size_t size, int touched) {
    *seen = (struct seen){.n = bytes / size, .size = size, .touched = touched};
    seen->ranks = numbers(seen->n, sizeof *seen->ranks);
    seen->ranks_before = numbers(seen->n, sizeof *seen->ranks_before);
    seen->listed = numbers(seen->n, sizeof *seen->listed);
    seen->wrote = numbers(seen->n, sizeof *seen->wrote);
    seen->line = numbers(seen->n, sizeof *seen->line);
    seen->now = numbers(seen->n, sizeof *seen->now);
    seen->before = numbers(seen->n, sizeof *seen->before);
}

static void seen_end(struct seen *seen) {
    orrery_memory_unmap(seen->ranks, (seen->n + 1) * sizeof *seen->ranks);
    orrery_memory_unmap(seen->ranks_before, (seen->n + 1) * sizeof *seen->ranks_before);
    orrery_memory_unmap(seen->listed, (seen->n + 1) * sizeof *seen->listed);
    orrery_memory_unmap(seen->wrote, (seen->n + 1) * sizeof *seen->wrote);
    orrery_memory_unmap(seen->line, (seen->n + 1) * sizeof *seen->line);
    orrery_memory_unmap(seen->now, (seen->n + 1) * sizeof *seen->now);
    orrery_memory_unmap(seen->before, (seen->n + 1) * sizeof *seen->before);
}

/* True once per rank and phase. */
static bool is_new(struct seen *seen, size_t e, long rank, long phase) {
    uint64_t bit = UINT64_C(1) << rank;
    if (seen->listed[e] != (uint32_t)phase + 1) {
        seen->ranks_before[e] = seen->listed[e] == (uint32_t)phase ? seen->ranks[e] : 0;
        seen->ranks[e] = 0;
        seen->listed[e] = (uint32_t)phase + 1;
    }
    bool again = seen->ranks[e] & bit;
    seen->ranks[e] |= bit;
    return !again;
}

/* The element is on the rank's list of the phase: its value comes, if it was not on the one before,
 * and once more if the merge before has changed it. */
static void element_list(struct measure *measure, size_t e, long rank, long phase, bool others) {
    struct seen *seen = &measure->seen;
    uint64_t id = (uint64_t)(phase * measure->ranks + rank + 1);
    size_t line = e * seen->size / ORRERY_MARKED;
    if (!is_new(seen, e, rank, phase))
        return;
    ++measure->elements;
    measure->lines += seen->line[line] != id;
    seen->line[line] = id;
    uint32_t changed = seen->now[e] == (uint32_t)phase + 1 ? seen->before[e] : seen->now[e];
    if (others && !(phase && seen->ranks_before[e] >> rank & 1))
        measure->out->moved += (double)seen->size;
    if (others && phase && changed == (uint32_t)phase)
        measure->out->moved += (double)(sizeof(uint32_t) + seen->size);
}

/* The row has changed it in the phase. */
static void element_write(struct measure *measure, size_t e, long row, long phase, bool others) {
    struct seen *seen = &measure->seen;
    uint64_t id = (uint64_t)(phase * measure->rows + row + 1);
    if (seen->wrote[e] == id)
        return;
    seen->wrote[e] = id;
    if (others)
        measure->out->moved += (double)(sizeof(uint32_t) + seen->size);
    if (seen->now[e] == (uint32_t)phase + 1)
        return;
    seen->before[e] = seen->now[e];
    seen->now[e] = (uint32_t)phase + 1;
}

static void touch_see(struct measure *measure, const struct orrery_touch *touch, long row,
                      long rank, long phase) {
    const struct seen *seen = &measure->seen;
    const struct orrery_unit *unit = &measure->units[seen->touched];
    long size = (long)seen->size, per = unit->stride / size > 1 ? unit->stride / size : 1;
    long low = (touch->unit * unit->stride + unit->origin) / size;
    for (long e = low; e < low + per; ++e) {
        if (e < 0 || e >= (long)seen->n)
            continue;
        bool others = (__int128)e * measure->ranks / (__int128)seen->n != rank;
        element_list(measure, (size_t)e, rank, phase, others);
        if (touch->written)
            element_write(measure, (size_t)e, row, phase, others);
    }
}

static void row_see(struct measure *measure, long row, long rank, long phase) {
    const struct orrery_region *region = measure->region;
    long begin = orrery_row_begin(region->cuts, region->count, row, measure->rows),
         count = orrery_row_begin(region->cuts, region->count, row + 1, measure->rows) - begin,
         end = begin + orrery_share(count, phase + 1, measure->phases);
    for (long i = begin + orrery_share(count, phase, measure->phases); i < end; ++i) {
        measure->touches.count = 0;
        measure->loop->touches(orrery_env_of(region, 0), i, &measure->touches, NULL);
        for (long t = 0; t < measure->touches.count; ++t)
            if (measure->touches.items[t].object == measure->seen.touched)
                touch_see(measure, &measure->touches.items[t], row, rank, phase);
    }
}

/* The rows of one rank in one phase: a chunk. */
static void chunk_see(struct measure *measure, long rank, long phase, double *elements,
                      double *lines) {
    long low = orrery_share(measure->rows, rank, measure->ranks);
    long high = orrery_share(measure->rows, rank + 1, measure->ranks);
    measure->elements = measure->lines = 0;
    for (long row = low; row < high; ++row)
        row_see(measure, row, rank, phase);
    measure->listed += measure->elements;
    *elements = (double)measure->elements > *elements ? (double)measure->elements : *elements;
    *lines = (double)measure->lines > *lines ? (double)measure->lines : *lines;
}

/* Numbers in front of rows' changes and of patches. */
static double numbers_sent(const struct measure *measure) {
    double others = (double)measure->ranks - 1, phases = (double)measure->phases;
    return 8 * others * (phases * (double)measure->rows + (phases - 1) * (double)measure->ranks);
}

/* As docs/served.md counts the memory of a rank; lists are one rank's and those told to it. */
static void array_see(struct measure *measure) {
    double n = (double)measure->seen.n, size = (double)measure->seen.size, elements = 0, lines = 0;
    double ranks = (double)measure->ranks;
    measure->listed = 0;
    for (long phase = 0; phase < measure->phases; ++phase)
        for (long rank = 0; rank < measure->ranks; ++rank)
            chunk_see(measure, rank, phase, &elements, &lines);
    measure->out->moved += numbers_sent(measure);
    measure->out->rank_bytes += n * size / ranks + n * (size + 2) / ranks + n * size / 16 +
                                3 * elements * size + 2 * 4 * (double)measure->listed / ranks;
    measure->out->chunk_bytes += ORRERY_MARKED * lines;
}

static bool is_wanted(const struct orrery_state *state, const struct orrery_region *region) {
    const struct orrery_loop *loop = state->loop;
    int serve = orrery_env()->serve;
    if (!orrery_env()->profile || dsm_ranks() > 1 || !loop->served || !loop->touches ||
        loop->kernel || region->passes != 1 || !state->merge || state->profile.nserved ||
        (serve != ORRERY_SERVE_AUTO && serve != ORRERY_SERVE_ALWAYS))
        return false;
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_can_be_served(loop, j) &&
            (serve == ORRERY_SERVE_ALWAYS || state->bytes[j] >= SERVE_LARGE))
            return true;
    return false;
}

void orrery_profile_served_look(struct orrery_state *state, const struct orrery_region *region) {
    const struct orrery_loop *loop = state->loop;
    if (!is_wanted(state, region))
        return;
    struct orrery_unit units[loop->ntouched + 1];
    loop->units(orrery_env_of(region, 0), units);
    struct measure measure = {.region = region,
                              .loop = loop,
                              .touches = {.grow = touches_grow},
                              .units = units,
                              .rows = region->blocks.rows,
                              .phases = state->merge->phases};
    for (int k = 0; k < COUNTS && counts[k] <= measure.rows; ++k) {
        measure.out = &state->profile.served[state->profile.nserved++];
        *measure.out = (struct orrery_profile_served){.ranks = counts[k]};
        measure.ranks = counts[k];
        for (int j = 0; j < loop->nreductions; ++j) {
            if (!orrery_can_be_served(loop, j))
                continue;
            seen_start(&measure.seen, state->bytes[j], loop->reductions[j].size,
                       orrery_merging_of(loop, j)->touched);
            array_see(&measure);
            seen_end(&measure.seen);
        }
    }
    dsm_own_free(measure.touches.items);
}
