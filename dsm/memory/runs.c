/*
 * Units of the global heap. Every unit below `top` belongs to one run; `owners` says which. Free
 * runs stand in bins by length and never touch each other.
 */
#include "dsm/memory/runs.h"

#include <string.h>

/* Bins of one length each up to EXACT, then one per power of two. */
#define EXACT 64
#define BINS (EXACT + 48)

static struct {
    struct run **owners;    /* per unit */
    size_t top, limit;      /* units that belong to a run; that there are */
    struct run *bins[BINS]; /* free runs by length */
    struct run *spare;      /* records that stand for no run */
} runs;

static struct run *record_new(size_t first, size_t units) {
    struct run *run = runs.spare;
    if (run)
        runs.spare = run->next;
    else
        run = dsm_own_alloc(sizeof *run);
    *run = (struct run){.first = first, .units = units};
    return run;
}

static void record_drop(struct run *run) {
    run->next = runs.spare;
    runs.spare = run;
}

void run_start(char *low, char *high) {
    runs.limit = (size_t)(high - low) / RUN_UNIT;
    runs.top = 0;
    memset(runs.bins, 0, sizeof runs.bins);
    runs.owners = dsm_clib_map((runs.limit + 1) * sizeof(struct run *));
    if (!runs.owners)
        dsm_fail(DSM_STATUS_ERROR, "out of address space: no room for the table of the heap");
}

static int bin_of(size_t units) {
    return units < EXACT ? (int)units : EXACT + 63 - __builtin_clzl(units) - 6;
}

static void own(struct run *run, size_t first, size_t units) {
    for (size_t i = 0; i < units; ++i)
        runs.owners[first + i] = run;
}

static void bin_add(struct run *run) {
    struct run **bin = &runs.bins[bin_of(run->units)];
    run->previous = NULL;
    run->next = *bin;
    if (*bin)
        (*bin)->previous = run;
    *bin = run;
}

static void bin_remove(struct run *run) {
    if (run->previous)
        run->previous->next = run->next;
    else
        runs.bins[bin_of(run->units)] = run->next;
    if (run->next)
        run->next->previous = run->previous;
}

/* Units to skip at the front of the run so that an aligned block begins. */
static size_t skip_for(size_t first, size_t alignment) {
    uintptr_t address = (uintptr_t)dsm_reservation.low + first * RUN_UNIT;
    return (((address + alignment - 1) & ~(alignment - 1)) - address) / RUN_UNIT;
}

static struct run *free_fitting(size_t units, size_t alignment) {
    for (int i = bin_of(units); i < BINS; ++i) {
        for (struct run *run = runs.bins[i]; run; run = run->next)
            if (run->units >= units + skip_for(run->first, alignment))
                return run;
    }
    return NULL;
}

/* A new free run behind all others. */
static struct run *top_grow(size_t units) {
    if (units > runs.limit - runs.top)
        return NULL;
    struct run *run = record_new(runs.top, units);
    own(run, runs.top, units);
    runs.top += units;
    bin_add(run);
    return run;
}

/* Gives the units of a free run that is in no bin from `keep` on to a free run of their own. */
static void split(struct run *run, size_t keep) {
    if (keep < run->units) {
        struct run *rest = record_new(run->first + keep, run->units - keep);
        own(rest, rest->first, rest->units);
        run->units = keep;
        bin_add(rest);
    }
}

struct run *run_alloc(size_t units, size_t alignment) {
    if (units > runs.limit)
        return NULL;
    struct run *run = free_fitting(units, alignment);
    if (!run)
        run = top_grow(units + skip_for(runs.top, alignment));
    if (!run)
        return NULL;
    bin_remove(run);
    size_t skip = skip_for(run->first, alignment);
    if (skip > 0) {
        struct run *front = record_new(run->first, skip);
        own(front, front->first, skip);
        bin_add(front);
        run->first += skip;
        run->units -= skip;
    }
    split(run, units);
    run->used = true;
    run->bytes = run->pages = 0;
    run->span = NULL;
    return run;
}

/* Joins two free runs that are in no bin; the longer one's record stays. */
static struct run *join(struct run *left, struct run *right) {
    struct run *stays = left->units >= right->units ? left : right;
    struct run *goes = stays == left ? right : left;
    own(stays, goes->first, goes->units);
    stays->first = left->first;
    stays->units = left->units + right->units;
    record_drop(goes);
    return stays;
}

void run_free(struct run *run) {
    run->used = false;
    run->span = NULL;
    struct run *before = run->first > 0 ? runs.owners[run->first - 1] : NULL;
    size_t end = run->first + run->units;
    struct run *after = end < runs.top ? runs.owners[end] : NULL;
    if (before && !before->used) {
        bin_remove(before);
        run = join(before, run);
    }
    if (after && !after->used) {
        bin_remove(after);
        run = join(run, after);
    }
    bin_add(run);
}

bool run_extend(struct run *run, size_t units) {
    size_t end = run->first + run->units;
    if (end == runs.top && !top_grow(units))
        return false;
    struct run *after = runs.owners[end];
    if (after->used || after->units < units)
        return false;
    bin_remove(after);
    split(after, units);
    own(run, after->first, units);
    run->units += units;
    record_drop(after);
    return true;
}

struct run *run_find(const void *address) {
    size_t unit = (size_t)((const char *)address - dsm_reservation.low) / RUN_UNIT;
    struct run *run = runs.owners && unit < runs.top ? runs.owners[unit] : NULL;
    return run && run->used ? run : NULL;
}

struct run *run_next(const char *address, const char *high) {
    size_t unit = (size_t)(address - dsm_reservation.low) / RUN_UNIT;
    while (unit < runs.top && dsm_reservation.low + unit * RUN_UNIT < high) {
        struct run *run = runs.owners[unit];
        if (run->used)
            return run;
        unit = run->first + run->units;
    }
    return NULL;
}

void run_clear(void) {
    for (size_t unit = 0; unit < runs.top;) {
        struct run *run = runs.owners[unit];
        unit = run->first + run->units;
        record_drop(run);
    }
    memset(runs.bins, 0, sizeof runs.bins);
    runs.top = 0;
}

struct run *run_place(size_t first, size_t units) {
    if (first < runs.top || units == 0 || first > runs.limit || units > runs.limit - first)
        return NULL;
    if (first > runs.top)
        top_grow(first - runs.top);
    struct run *run = record_new(first, units);
    own(run, first, units);
    run->used = true;
    runs.top = first + units;
    return run;
}

const char *run_check(void) {
    bool free_before = false;
    for (size_t unit = 0; unit < runs.top;) {
        struct run *run = runs.owners[unit];
        if (!run || run->first != unit || run->units == 0 || unit + run->units > runs.top)
            return "heap: a unit's run does not begin where the one before ends";
        if (!run->used && free_before)
            return "heap: two free runs are neighbours";
        for (size_t i = 0; i < run->units; ++i)
            if (runs.owners[unit + i] != run)
                return "heap: a unit inside a run has another owner";
        free_before = !run->used;
        unit += run->units;
    }
    return NULL;
}
