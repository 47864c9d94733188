/* A region whose large relaxed and buffered arrays are served: what a rank keeps, and the steps. */
#include "runtime/merge/serve_private.h"
#include "runtime/merge/share.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"

#include <string.h>
#include <sys/mman.h>

/* ---- is it worth it? ------------------------------------------------------------------------- */

bool orrery_serve_wanted(const struct orrery_state *state, const struct orrery_region *region) {
    const struct orrery_loop *loop = state->loop;
    int serve = orrery_env()->serve;
    if (dsm_ranks() == 1 || !loop->served || loop->kernel || serve == ORRERY_SERVE_NEVER ||
        orrery_env()->replay != ORRERY_REPLAY_OFF || region->passes != 1)
        return false;
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_is_merged(&loop->reductions[j]) &&
            orrery_merge_cools(loop, j, state->bytes[j], &region->blocks))
            return false;
    for (int j = 0; j < loop->nreductions; ++j)
        if (orrery_can_be_served(loop, j) &&
            (serve != ORRERY_SERVE_AUTO || state->bytes[j] >= SERVE_LARGE))
            return true;
    return false;
}

bool orrery_serve_has(const struct orrery_state *state, int j) {
    return state->serves && orrery_can_be_served(state->loop, j);
}

/* ---- one array ------------------------------------------------------------------------------- */

/* The largest rows, up to a page, that make up all of its bytes. */
static long row_bytes(size_t bytes) {
    long row = 4096;
    while (bytes % (size_t)row)
        row /= 2;
    return row;
}

/* Rows at `home` in equal parts, one per rank. */
static struct dsm_array *store_new(struct orrery_serve *serve, const char *name, char *home,
                                   enum dsm_mode mode, long row, long rows, size_t size) {
    int ranks = dsm_ranks(), owner[ranks];
    long cuts[ranks + 1];
    for (int r = 0; r <= ranks; ++r)
        cuts[r] = orrery_share(rows, r, ranks);
    for (int r = 0; r < ranks; ++r)
        owner[r] = r;
    struct dsm_layout layout = {.name = name,
                                .mode = mode,
                                .base = home,
                                .nrows = rows,
                                .row_stride = row,
                                .pieces = 1,
                                .piece_bytes = row,
                                .piece_stride = row,
                                .element_size = size,
                                .nparts = ranks,
                                .cuts = cuts,
                                .owner = owner,
                                .written = true,
                                .spare = mode == DSM_VIEW};
    struct dsm_array *store = dsm_array_new(&layout);
    serve->stores[serve->nstores++] =
        (struct orrery_serve_store){store, {home, home + (size_t)row * (size_t)rows}};
    return store;
}

static void store_make(struct orrery_serve *serve, struct orrery_served_array *array) {
    size_t bytes = array->n * array->size;
    long row = row_bytes(bytes), rows = (long)bytes / row;
    array->first = dsm_own_alloc((size_t)(dsm_ranks() + 1) * sizeof *array->first);
    for (int r = 0; r <= dsm_ranks(); ++r)
        array->first[r] = (size_t)orrery_share(rows, r, dsm_ranks()) * (size_t)row / array->size;
    array->base = dsm_array_base(
        store_new(serve, array->what->name, array->home, DSM_VIEW, row, rows, array->size));
}

/* Arrays beside it are cut as it is. A pointer of the program leads to this rank's part while
 * updates are merged; what has no pointer stays at its address. */
static void besides_make(struct orrery_serve *serve, struct orrery_served_array *array,
                         const struct orrery_merging *how) {
    size_t bytes = array->n * array->size;
    long row = row_bytes(bytes), rows = (long)bytes / row, per = row / (long)array->size;
    array->besides = serve->nstores;
    array->bases = orrery_memory_aligned((size_t)(how->nbesides + 1) * sizeof *array->bases);
    for (int b = 0; b < how->nbesides; ++b) {
        const struct orrery_beside *beside = &how->besides[b];
        struct {
            char *home;
            enum dsm_mode mode;
        } place = {beside->pointer ? *beside->pointer : (char *)beside->base, DSM_INPLACE};
        if (beside->pointer && !dsm_is_constant(beside->pointer))
            place.mode = DSM_VIEW;
        dsm_broadcast(&place, sizeof place);
        struct dsm_array *store = store_new(serve, beside->name, place.home, place.mode,
                                            per * (long)beside->size, rows, beside->size);
        array->bases[b] = place.mode == DSM_VIEW ? dsm_array_base(store) : NULL;
    }
}

/* The part that this rank merges. Owner and snapshot are one: nobody reads it but to send it. */
static void owner_make(struct orrery_served_array *array, const struct orrery_merging *how,
                       long nrows) {
    size_t first = array->first[dsm_rank()], n = array->first[dsm_rank() + 1] - first;
    char *part = array->base + first * array->size;
    array->owner = (struct orrery_merged){.what = array->what,
                                          .how = how,
                                          .reduction = array->reduction,
                                          .n = n,
                                          .first = first,
                                          .bytes = n * array->size,
                                          .snapshot = part,
                                          .target = part};
    array->owner.rows = orrery_memory_aligned((size_t)nrows * sizeof *array->owner.rows);
    array->owner.slots =
        (uint32_t *)(void *)orrery_memory_map((n + 1) * sizeof *array->owner.slots);
    if (how->rule == ORRERY_RULE_SCALE)
        array->owner.gains = (uint8_t *)orrery_memory_map(n + 1);
    array->changed = (unsigned char *)orrery_memory_map(n + 1);
}

static void array_make(struct orrery_serve *serve, const struct orrery_region *region, int j) {
    const struct orrery_merging *how = orrery_merging_of(region->loop, j);
    const struct orrery_reduction *what = &region->loop->reductions[j];
    size_t bytes = serve->state->bytes[j];
    struct orrery_served_array *array = &serve->arrays[serve->narrays++];
    *array = (struct orrery_served_array){.what = what,
                                          .reduction = j,
                                          .touched = how->touched,
                                          .n = bytes / what->size,
                                          .size = what->size,
                                          .home = serve->state->shapes[what->array].base};
    array->slots_bytes = (bytes / ORRERY_MARKED + 1) * sizeof *array->slots;
    array->slots = (unsigned *)(void *)orrery_memory_map(array->slots_bytes);
    array->asked = orrery_memory_aligned((size_t)dsm_ranks() * sizeof *array->asked);
    array->arrivals = orrery_memory_aligned((size_t)dsm_ranks() * sizeof *array->arrivals);
    array->copies = (struct orrery_merged){
        .what = what, .how = how, .reduction = j, .few = true, .ncopies = serve->workers};
    array->copies.rows = orrery_memory_aligned((size_t)serve->nrows * sizeof *array->copies.rows);
    store_make(serve, array);
    besides_make(serve, array, how);
    owner_make(array, how, serve->nrows);
}

static void chunk_free(struct orrery_served_array *array) {
    size_t bytes = SERVE_PAGE + array->room * ORRERY_MARKED;
    for (long w = 0; array->copies.copies && w < array->copies.ncopies; ++w)
        mprotect(array->copies.copies - SERVE_PAGE + (size_t)w * array->copies.stride, SERVE_PAGE,
                 PROT_READ | PROT_WRITE);
    if (array->snapshots)
        mprotect(array->snapshots, SERVE_PAGE, PROT_READ | PROT_WRITE);
    if (array->copies.copies)
        orrery_memory_unmap(array->copies.copies - SERVE_PAGE,
                            (size_t)array->copies.ncopies * array->copies.stride);
    orrery_memory_unmap(array->snapshots, bytes);
    orrery_memory_free(array->copies.marks);
    dsm_own_free(array->next);
    dsm_own_free(array->missed);
    dsm_own_free(array->lines);
    array->snapshots = array->next = array->missed = NULL;
    array->copies.copies = NULL;
    array->copies.marks = NULL;
    array->lines = NULL;
}

static void rows_free(struct orrery_changes *rows, long nrows) {
    for (long row = 0; row < nrows; ++row) {
        dsm_own_free(rows[row].at);
        dsm_own_free(rows[row].values);
    }
    orrery_memory_free(rows);
}

static void array_free(struct orrery_served_array *array, long nrows) {
    chunk_free(array);
    orrery_serve_list_free(&array->mine);
    for (int r = 0; r < dsm_ranks(); ++r)
        orrery_serve_list_free(&array->asked[r]);
    orrery_memory_free(array->asked);
    orrery_memory_free(array->arrivals);
    orrery_memory_unmap(array->slots, array->slots_bytes);
    rows_free(array->copies.rows, nrows);
    rows_free(array->owner.rows, nrows);
    dsm_own_free(array->owner.result.at);
    dsm_own_free(array->owner.result.values);
    orrery_memory_unmap(array->owner.gains, array->owner.n + 1);
    dsm_own_free(array->owner.counts);
    orrery_memory_unmap(array->owner.slots, (array->owner.n + 1) * sizeof *array->owner.slots);
    orrery_memory_unmap(array->changed, array->owner.n + 1);
    dsm_own_free(array->first);
    orrery_memory_free(array->bases);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Collective: homes are valid before the stores go; the others wait, and bring what they have. */
static void serve_free(struct orrery_serve *serve) {
    char done = 1;
    if (!serve)
        return;
    for (int k = 0; k < serve->nstores && dsm_rank() == 0; ++k)
        dsm_array_collect(serve->stores[k].array);
    dsm_broadcast(&done, 1);
    for (int a = 0; a < serve->narrays; ++a)
        array_free(&serve->arrays[a], serve->nrows);
    for (int k = 0; k < serve->nstores; ++k)
        dsm_array_free(serve->stores[k].array);
    if (serve->watch)
        dsm_watch_end(serve->watch);
    orrery_memory_free(serve->arrays);
    orrery_memory_free(serve->stores);
    dsm_own_free(serve->inputs);
    dsm_own_free(serve->globals);
    orrery_memory_free(serve->spans);
    orrery_memory_free(serve->views);
    dsm_own_free((void *)serve->requests);
    dsm_own_free((void *)serve->buffers);
    orrery_memory_free(serve);
}

/* Rank 0 knows: the arrays beside stand where they stood. Their stores follow the array's own. */
static bool besides_fit(const struct orrery_serve *serve, const struct orrery_served_array *array) {
    const struct orrery_merging *how = array->owner.how;
    bool same = true;
    for (int b = 0; b < how->nbesides && dsm_rank() == 0; ++b) {
        const struct orrery_beside *beside = &how->besides[b];
        const char *now = beside->pointer ? *beside->pointer : beside->base;
        same = same && serve->stores[array->besides + b].home.low == now;
    }
    return same;
}

static bool fits(const struct orrery_serve *serve, const struct orrery_region *region,
                 const struct orrery_state *state) {
    bool same = serve && serve->epoch == orrery_owners_epoch() &&
                serve->row_low == region->row_low && serve->row_high == region->row_high &&
                serve->nrows == region->blocks.rows && serve->workers == orrery_workers_count();
    for (int a = 0; same && a < serve->narrays; ++a) {
        const struct orrery_served_array *array = &serve->arrays[a];
        same = array->n * array->size == state->bytes[array->reduction] &&
               array->home == state->shapes[array->what->array].base && besides_fit(serve, array);
    }
    return same;
}

static struct orrery_serve *serve_new(const struct orrery_region *region,
                                      struct orrery_state *state, long phases) {
    struct orrery_serve *serve = orrery_memory_aligned(sizeof *serve);
    size_t n = (size_t)region->loop->nreductions + 1,
           own = (size_t)(region->row_high - region->row_low) + 1;
    *serve = (struct orrery_serve){.state = state,
                                   .phases = phases,
                                   .row_low = region->row_low,
                                   .row_high = region->row_high,
                                   .nrows = region->blocks.rows,
                                   .epoch = orrery_owners_epoch(),
                                   .workers = orrery_workers_count()};
    atomic_flag_clear(&serve->moving);
    serve->arrays = orrery_memory_aligned(n * sizeof *serve->arrays);
    for (int m = 0; m < region->loop->nmergings; ++m)
        n += 1 + (size_t)region->loop->mergings[m].nbesides;
    serve->stores = orrery_memory_aligned(n * sizeof *serve->stores);
    serve->views = orrery_memory_aligned(own * n * sizeof *serve->views);
    for (int j = 0; j < region->loop->nreductions; ++j)
        if (orrery_can_be_served(region->loop, j))
            array_make(serve, region, j);
    return serve;
}

struct orrery_serve *orrery_serve_prepare(struct orrery_serve *serve, struct orrery_region *region,
                                          struct orrery_state *state, long phases) {
    char same = fits(serve, region, state);
    dsm_broadcast(&same, 1);
    if (!same) {
        serve_free(serve);
        return serve_new(region, state, phases);
    }
    serve->fresh = serve->fresh && serve->phases == phases;
    serve->phases = phases;
    return serve;
}

void orrery_serve_distribute(struct orrery_serve *serve) {
    for (int k = 0; k < serve->nstores; ++k)
        dsm_array_distribute(serve->stores[k].array);
}

void orrery_serve_settle(struct orrery_serve *serve) {
    for (int k = 0; k < serve->nstores; ++k)
        dsm_array_settle(serve->stores[k].array);
}

void orrery_serve_release(struct orrery_serve *serve) {
    for (int k = 0; k < serve->nstores; ++k)
        dsm_array_release(serve->stores[k].array);
}

bool orrery_serve_home(const struct orrery_serve *serve, int at, struct dsm_range *range) {
    if (!serve || at >= serve->nstores)
        return false;
    *range = serve->stores[at].home;
    return true;
}

void orrery_serve_collect(struct orrery_serve *serve, struct dsm_range range) {
    for (int k = 0; k < serve->nstores; ++k)
        if (serve->stores[k].home.low < range.high && range.low < serve->stores[k].home.high)
            dsm_array_collect(serve->stores[k].array);
}

size_t orrery_serve_bytes(const struct orrery_serve *serve) {
    size_t bytes = 0;
    for (int a = 0; serve && a < serve->narrays; ++a) {
        const struct orrery_served_array *array = &serve->arrays[a];
        size_t lists = array->mine.starts ? array->mine.starts[serve->phases] : 0;
        for (int r = 0; r < dsm_ranks(); ++r)
            lists += array->asked[r].starts ? array->asked[r].starts[serve->phases] : 0;
        bytes += array->owner.bytes + array->owner.n * 6 + array->slots_bytes +
                 lists * sizeof(uint32_t) +
                 array->room * (ORRERY_MARKED * (size_t)(1 + serve->workers) + sizeof(uint32_t));
    }
    return bytes;
}

/* ---- the chunk's memory ---------------------------------------------------------------------- */

/* Lines that the longest chunk has, at most. */
static size_t most_lines(const struct orrery_serve *serve, const struct orrery_served_array *array,
                         size_t *elements) {
    size_t most = 0, per = ORRERY_MARKED / array->size;
    *elements = 0;
    for (long p = 0; p < serve->phases; ++p) {
        size_t lines = 0, last = SIZE_MAX, count = orrery_serve_count(&array->mine, p);
        for (size_t k = array->mine.starts[p]; k < array->mine.starts[p + 1]; ++k) {
            lines += array->mine.at[k] / per != last;
            last = array->mine.at[k] / per;
        }
        most = lines > most ? lines : most;
        *elements = count > *elements ? count : *elements;
    }
    return most;
}

/* Its first page cannot be touched: an element that was not listed is on it. */
static char *guarded_map(size_t bytes) {
    char *memory = orrery_memory_map(bytes);
    if (mprotect(memory, SERVE_PAGE, PROT_NONE))
        dsm_fail(1, "the memory of a chunk cannot be protected");
    return memory;
}

static void chunk_make(struct orrery_serve *serve, struct orrery_served_array *array) {
    size_t elements, lines = most_lines(serve, array, &elements);
    size_t page = 4096, bytes = (SERVE_PAGE + (lines + 1) * ORRERY_MARKED + page - 1) / page * page;
    chunk_free(array);
    array->room = (bytes - SERVE_PAGE) / ORRERY_MARKED;
    array->snapshots = guarded_map(bytes);
    array->next = dsm_own_alloc(elements * array->size + 1);
    array->missed = dsm_own_alloc(elements * array->size + 1);
    array->lines = dsm_own_alloc(array->room * sizeof *array->lines);
    array->copies.stride = bytes;
    array->copies.snapshot = array->snapshots + SERVE_PAGE;
    array->copies.copies = orrery_memory_map((size_t)serve->workers * bytes) + SERVE_PAGE;
    for (int w = 0; w < serve->workers; ++w)
        if (mprotect(array->copies.copies - SERVE_PAGE + (size_t)w * bytes, SERVE_PAGE, PROT_NONE))
            dsm_fail(1, "the memory of a chunk cannot be protected");
    orrery_merged_marks(&array->copies, array->room * ORRERY_MARKED);
    array->copies.marks = orrery_memory_aligned((size_t)serve->workers * array->copies.nmarks);
}

static void view_set(struct orrery_serve *serve, const struct orrery_served_array *array, long row,
                     struct orrery_served *view) {
    long rows = serve->row_high - serve->row_low, w = 0;
    while (w + 1 < serve->workers &&
           serve->row_low + orrery_share(rows, w + 1, serve->workers) <= row)
        ++w;
    char *copy = array->copies.copies - SERVE_PAGE + (size_t)w * array->copies.stride;
    bool relaxed = array->what->op == ORRERY_RELAXED;
    *view = (struct orrery_served){.home = array->home,
                                   .slots = array->slots,
                                   .lines = relaxed ? copy : array->snapshots,
                                   .shift = relaxed ? 0 : copy - array->snapshots,
                                   .copy = copy + SERVE_PAGE,
                                   .marks = orrery_merged_marks_at(&array->copies, w)};
}

static void views_set(struct orrery_serve *serve, struct orrery_region *region) {
    long n = region->loop->nreductions;
    for (int a = 0; a < serve->narrays; ++a)
        for (long row = serve->row_low; row < serve->row_high; ++row) {
            long at = (row - serve->row_low) * n + serve->arrays[a].reduction;
            view_set(serve, &serve->arrays[a], row, &serve->views[at]);
        }
}

const struct orrery_served *orrery_serve_views(const struct orrery_serve *serve, long row) {
    return serve->views + (row - serve->row_low) * serve->state->loop->nreductions;
}

/* ---- steps ----------------------------------------------------------------------------------- */

void orrery_serve_start(struct orrery_serve *serve, struct orrery_region *region) {
    bool made = orrery_serve_lists(serve, region);
    for (int a = 0; a < serve->narrays; ++a)
        if (serve->arrays[a].owner.gains)
            memset(serve->arrays[a].owner.gains, orrery_gain_first(serve->phases),
                   serve->arrays[a].owner.n);
    for (int a = 0; made && a < serve->narrays; ++a)
        chunk_make(serve, &serve->arrays[a]);
    if (made)
        views_set(serve, region);
    orrery_serve_push(serve, 0);
    orrery_serve_take(serve, 0);
    orrery_serve_lay(serve, 0);
    if (serve->phases > 1)
        orrery_serve_push(serve, 1);
}

/* Places among the chunk's lines become elements of the array. */
static void changes_place(const struct orrery_served_array *array, struct orrery_changes *changes) {
    uint32_t per = (uint32_t)(ORRERY_MARKED / array->size);
    for (size_t k = 0; k < changes->count; ++k)
        changes->at[k] = array->lines[changes->at[k] / per] * per + changes->at[k] % per;
}

void orrery_serve_row_done(struct orrery_serve *serve, const struct orrery_region *region,
                           long row) {
    for (int a = 0; a < serve->narrays; ++a) {
        struct orrery_served_array *array = &serve->arrays[a];
        orrery_merged_find(region, &array->copies, row);
        changes_place(array, &array->copies.rows[row]);
    }
    orrery_serve_move(serve);
}

static void rows_forget(struct orrery_serve *serve) {
    for (int a = 0; a < serve->narrays; ++a)
        for (long row = serve->row_low; row < serve->row_high; ++row)
            serve->arrays[a].copies.rows[row].count = 0;
}

/* What is on its way was sent before the merge; owners say what it changed of that. */
static void chunk_next(struct orrery_serve *serve, long p) {
    orrery_serve_take(serve, p);
    orrery_serve_patch(serve, p);
    orrery_serve_lay(serve, p);
    if (p + 1 < serve->phases)
        orrery_serve_push(serve, p + 1);
}

void orrery_serve_merge(struct orrery_serve *serve, struct orrery_region *region, long phase,
                        bool last) {
    orrery_serve_wait(serve);
    orrery_serve_update(serve, region);
    orrery_serve_clear(serve);
    rows_forget(serve);
    if (!last)
        chunk_next(serve, phase + 1);
}
