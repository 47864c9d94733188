/* The lists of what this rank's rows touch, phase by phase: made by the emitted slice of the body,
 * kept while what it read stays as it was. */
#include "runtime/merge/serve_private.h"

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"
#include "runtime/checks/intervals.h"

#include <string.h>

void orrery_serve_list_free(struct orrery_serve_list *list) {
    dsm_own_free(list->starts);
    dsm_own_free(list->at);
    *list = (struct orrery_serve_list){0};
}

/* ---- do they hold? --------------------------------------------------------------------------- */

static size_t globals_bytes(const struct orrery_loop *loop) {
    size_t bytes = 0;
    for (int g = 0; g < loop->nglobals; ++g)
        bytes += loop->globals[g].size;
    return bytes;
}

static bool in_spans(const struct orrery_serve *serve, const char *low, const char *high) {
    for (int s = 0; serve->spans && s < serve->state->loop->nspans; ++s)
        if (serve->spans[s].low < high && low < serve->spans[s].high)
            return true;
    return false;
}

void orrery_serve_doubt(struct orrery_serve *serve, struct dsm_range range) {
    serve->fresh = serve->fresh && !in_spans(serve, range.low, range.high);
}

static bool globals_hold(const struct orrery_serve *serve) {
    const struct orrery_loop *loop = serve->state->loop;
    const char *was = serve->globals;
    for (int g = 0; g < loop->nglobals; was += loop->globals[g++].size) {
        const char *now = loop->globals[g].address;
        if (in_spans(serve, now, now + loop->globals[g].size) &&
            memcmp(now, was, loop->globals[g].size) != 0)
            return false;
    }
    return true;
}

static bool hold(const struct orrery_serve *serve, const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    if (!serve->fresh || serve->count != region->count || !globals_hold(serve) ||
        (serve->watch && dsm_watch_changed(serve->watch)))
        return false;
    char now[loop->env_size + 1];
    orrery_inputs_copy(loop, orrery_env_of(region, 0), now);
    return memcmp(now, serve->inputs, loop->env_size) == 0;
}

/* ---- making them ----------------------------------------------------------------------------- */

/* One worker's: elements of the phase that it is at, per array; `spare` for sorting. */
struct listing {
    _Alignas(64) struct orrery_touches touches;
    uint32_t *items, *spare;
    size_t count, room, spare_room;
    struct orrery_span *spans;
};

/* All workers; per array and phase the elements found. */
struct making {
    struct orrery_serve *serve;
    const struct orrery_region *region;
    struct orrery_unit *units;
    struct listing *listings;
    uint32_t **found;
    size_t *counts;
};

static void touches_grow(struct orrery_touches *touches) {
    touches->room = touches->room ? 2 * touches->room : 4096;
    touches->items =
        dsm_own_realloc(touches->items, (size_t)touches->room * sizeof *touches->items);
}

/* Bits per digit of the sort, and digits of an element's number. */
enum { DIGIT = 11, DIGITS = 3, BUCKETS = 1 << DIGIT };

static void sort_digit(const uint32_t *from, uint32_t *to, size_t n, int shift) {
    size_t starts[BUCKETS + 1] = {0};
    for (size_t k = 0; k < n; ++k)
        ++starts[(from[k] >> shift & (BUCKETS - 1)) + 1];
    for (int b = 0; b < BUCKETS; ++b)
        starts[b + 1] += starts[b];
    for (size_t k = 0; k < n; ++k)
        to[starts[from[k] >> shift & (BUCKETS - 1)]++] = from[k];
}

/* Rising, each once; what is left of them, in `spare`. */
static size_t sort_unique(struct listing *listing) {
    uint32_t *from = listing->items, *to = listing->spare;
    for (int d = 0; d < DIGITS; ++d) {
        sort_digit(from, to, listing->count, d * DIGIT);
        uint32_t *swap = from;
        from = to;
        to = swap;
    }
    size_t n = 0;
    for (size_t k = 0; k < listing->count; ++k)
        if (n == 0 || from[k] != from[n - 1])
            from[n++] = from[k];
    return n;
}

static uint32_t *sorted_items(const struct listing *listing) {
    return DIGITS % 2 ? listing->spare : listing->items;
}

static void items_reserve(struct listing *listing, size_t more) {
    if (listing->count + more > listing->room) {
        listing->room = 2 * (listing->count + more);
        listing->items = dsm_own_realloc(listing->items, listing->room * sizeof(uint32_t));
    }
}

/* A unit's elements; those outside of the array are touched by nobody. */
static void add_unit(struct listing *listing, const struct orrery_served_array *array,
                     const struct orrery_unit *where, long unit) {
    long size = (long)array->size, per = where->stride / size > 1 ? where->stride / size : 1;
    __int128 low = ((__int128)unit * where->stride + where->origin) / size;
    if (low + per <= 0 || low >= (__int128)array->n)
        return;
    items_reserve(listing, (size_t)per);
    for (long k = 0; k < per; ++k)
        if (low + k >= 0 && low + k < (__int128)array->n)
            listing->items[listing->count++] = (uint32_t)(low + k);
}

static void phase_touch(struct making *making, struct listing *listing, long p) {
    const struct orrery_region *region = making->region;
    const struct orrery_serve *serve = making->serve;
    listing->touches.count = 0;
    for (long row = serve->row_low; row < serve->row_high; ++row) {
        long begin = orrery_row_begin(region->cuts, region->count, row, serve->nrows),
             count = orrery_row_begin(region->cuts, region->count, row + 1, serve->nrows) - begin,
             end = begin + orrery_share(count, p + 1, serve->phases);
        for (long i = begin + orrery_share(count, p, serve->phases); i < end; ++i)
            region->loop->touches(orrery_env_of(region, 0), i, &listing->touches, listing->spans);
    }
}

static void phase_list(struct making *making, struct listing *listing, long p) {
    phase_touch(making, listing, p);
    for (int a = 0; a < making->serve->narrays; ++a) {
        const struct orrery_served_array *array = &making->serve->arrays[a];
        size_t at = (size_t)(a * making->serve->phases + p);
        listing->count = 0;
        for (long t = 0; t < listing->touches.count; ++t)
            if (listing->touches.items[t].object == array->touched)
                add_unit(listing, array, &making->units[array->touched],
                         listing->touches.items[t].unit);
        if (listing->spare_room < listing->count) {
            listing->spare_room = listing->room;
            listing->spare =
                dsm_own_realloc(listing->spare, listing->spare_room * sizeof(uint32_t));
        }
        making->counts[at] = sort_unique(listing);
        making->found[at] = dsm_own_alloc(making->counts[at] * sizeof(uint32_t) + 1);
        if (making->counts[at])
            memcpy(making->found[at], sorted_items(listing), making->counts[at] * sizeof(uint32_t));
    }
}

static void list_share(void *data, int worker) {
    struct making *making = data;
    for (long p = worker; p < making->serve->phases; p += making->serve->workers)
        phase_list(making, &making->listings[worker], p);
}

/* The phases' lists one behind the other. */
static void list_join(const struct making *making, int a, struct orrery_serve_list *list) {
    long phases = making->serve->phases;
    orrery_serve_list_free(list);
    list->starts = dsm_own_alloc((size_t)(phases + 1) * sizeof *list->starts);
    list->starts[0] = 0;
    for (long p = 0; p < phases; ++p)
        list->starts[p + 1] = list->starts[p] + making->counts[a * phases + p];
    list->at = dsm_own_alloc(list->starts[phases] * sizeof *list->at + 1);
    for (long p = 0; p < phases; ++p) {
        uint32_t *found = making->found[a * phases + p];
        if (making->counts[a * phases + p])
            memcpy(list->at + list->starts[p], found,
                   making->counts[a * phases + p] * sizeof *list->at);
        dsm_own_free(found);
    }
}

static void listings_start(struct making *making) {
    int workers = making->serve->workers, nspans = making->region->loop->nspans;
    making->listings = orrery_memory_aligned((size_t)workers * sizeof *making->listings);
    for (int w = 0; w < workers; ++w) {
        struct listing *listing = &making->listings[w];
        listing->touches.grow = touches_grow;
        listing->spans = orrery_memory_aligned((size_t)(nspans + 1) * sizeof *listing->spans);
        for (int s = 0; s < nspans; ++s)
            listing->spans[s].low = (const char *)UINTPTR_MAX;
    }
}

/* What the workers read is what all of them read. */
static void listings_end(struct making *making) {
    struct orrery_serve *serve = making->serve;
    int nspans = making->region->loop->nspans;
    if (!serve->spans)
        serve->spans = orrery_memory_aligned((size_t)(nspans + 1) * sizeof *serve->spans);
    for (int s = 0; s < nspans; ++s)
        serve->spans[s] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    for (int w = 0; w < serve->workers; ++w) {
        struct listing *listing = &making->listings[w];
        for (int s = 0; s < nspans; ++s)
            if (listing->spans[s].high)
                orrery_touch(&serve->spans[s], listing->spans[s].low,
                             (unsigned long)(listing->spans[s].high - listing->spans[s].low));
        dsm_own_free(listing->touches.items);
        dsm_own_free(listing->items);
        dsm_own_free(listing->spare);
        orrery_memory_free(listing->spans);
    }
    orrery_memory_free(making->listings);
}

/* What they were made of, to be asked of in the next region. */
static void remember(struct orrery_serve *serve, const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    int n = 0;
    struct dsm_range ranges[loop->nspans + 1];
    for (int s = 0; s < loop->nspans; ++s)
        if (serve->spans[s].high)
            ranges[n++] = (struct dsm_range){serve->spans[s].low, serve->spans[s].high};
    if (serve->watch)
        dsm_watch_end(serve->watch);
    serve->watch = dsm_rank() == 0 ? dsm_watch_start(n, ranges) : NULL;
    serve->inputs = dsm_own_realloc(serve->inputs, loop->env_size + 1);
    orrery_inputs_copy(loop, orrery_env_of(region, 0), serve->inputs);
    serve->globals = dsm_own_realloc(serve->globals, globals_bytes(loop) + 1);
    char *to = serve->globals;
    for (int g = 0; g < loop->nglobals; to += loop->globals[g++].size)
        memcpy(to, loop->globals[g].address, loop->globals[g].size);
    serve->count = region->count;
    serve->fresh = true;
}

static void make(struct orrery_serve *serve, const struct orrery_region *region) {
    const struct orrery_loop *loop = region->loop;
    size_t n = (size_t)(serve->narrays * serve->phases) + 1;
    struct orrery_unit units[loop->ntouched + 1];
    struct making making = {serve, region, units, NULL, NULL, NULL};
    double begin = orrery_clock();
    loop->units(orrery_env_of(region, 0), units);
    making.found = dsm_own_alloc(n * sizeof *making.found);
    making.counts = dsm_own_alloc(n * sizeof *making.counts);
    listings_start(&making);
    orrery_workers_run(list_share, &making);
    listings_end(&making);
    for (int a = 0; a < serve->narrays; ++a)
        list_join(&making, a, &serve->arrays[a].mine);
    dsm_own_free((void *)making.found);
    dsm_own_free(making.counts);
    remember(serve, region);
    region->stats->inspections += 1;
    region->stats->inspect_seconds += orrery_clock() - begin;
}

bool orrery_serve_lists(struct orrery_serve *serve, const struct orrery_region *region) {
    bool fresh = hold(serve, region);
    if (!fresh)
        make(serve, region);
    orrery_serve_ask(serve, fresh);
    return !fresh;
}
