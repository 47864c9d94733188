/*
 * Home of an array, on rank 0: own, shared, lent, pending (docs/dsm-protocol.md). Serial code and
 * the fault handler come in here; the others follow in dsm_serve.
 */
#include "dsm/arrays/window.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* So many arrays at once are dropped at most. */
#define STALE_MOST 64

/* One collect or release at a time, whichever thread wants it. */
static struct dsm_lock collecting;

static enum dsm_home home_of(const struct dsm_array *array) {
    return atomic_load(&array->home);
}

/* ---- which pages of home can be made unreadable ---------------------------------------------- */

static void guard_choose(struct dsm_array *array) {
    const struct dsm_layout *layout = &array->layout;
    char *low = layout->base, *high = low + layout->nrows * layout->row_stride;
    struct dsm_block block;
    if (!dsm_is_view(array) || !layout->written || low == high || !dsm_block_find(low, &block) ||
        high > block.base + block.bytes || block.kind == DSM_BLOCK_CONSTANT ||
        block.kind == DSM_BLOCK_SHARED)
        return;
    bool to_end = block.own_pages && high == block.base + block.bytes;
    uintptr_t from = dsm_page_up((uintptr_t)low);
    uintptr_t to = to_end ? dsm_page_up((uintptr_t)high) : dsm_page_down((uintptr_t)high);
    if (from < to) {
        array->guard_low = (char *)from;
        array->guard_high = (char *)to;
    }
}

void dsm_home_start(struct dsm_array *array) {
    guard_choose(array);
    dsm_rows_ranges(array, &array->nranges, &array->ranges);
}

static void guard_on(struct dsm_array *array) {
    if (array->guard_low && !atomic_load(&array->guarded)) {
        atomic_fetch_add(&dsm_guarded, 1);
        atomic_store(&array->guarded, true);
        dsm_protect(array->guard_low, array->guard_high, PROT_NONE);
        if (array->layout.spare) {
            dsm_clib_advise(array->guard_low, (size_t)(array->guard_high - array->guard_low),
                            MADV_DONTNEED);
        }
    }
}

static void guard_off(struct dsm_array *array) {
    if (atomic_load(&array->guarded)) {
        dsm_protect(array->guard_low, array->guard_high, PROT_READ | PROT_WRITE);
        atomic_store(&array->guarded, false);
        atomic_fetch_sub(&dsm_guarded, 1);
    }
}

static void watch_off(struct dsm_array *array) {
    dsm_watch_end(array->watch);
    array->watch = NULL;
}

static void watches_hit(const struct dsm_array *array) {
    for (int i = 0; i < array->nranges; ++i)
        dsm_watch_hit(array->ranges[i].low, array->ranges[i].high);
}

/* ---- edges: bytes of home outside the guarded pages, valid and writable while home is pending --- */

/* The two stretches; empty ones have low == high. */
static void edge_ranges(const struct dsm_array *array, struct dsm_range edges[2]) {
    const struct dsm_layout *layout = &array->layout;
    const char *low = layout->base, *high = low + layout->nrows * layout->row_stride;
    const char *guard_high = array->guard_high < high ? array->guard_high : high;
    edges[0] = (struct dsm_range){low, array->guard_low};
    edges[1] = (struct dsm_range){guard_high, high};
}

/* Did serial code write on an edge of a pending home? */
static bool edges_changed(const struct dsm_array *array) {
    return home_of(array) == DSM_HOME_PENDING && array->watch && dsm_watch_changed(array->watch);
}

static size_t edge_bytes(const struct dsm_range *edge) {
    return (size_t)(edge->high - edge->low);
}

/* Home's own edges, kept while stale rows are laid over them. */
static char *edges_save(const struct dsm_array *array) {
    struct dsm_range edges[2];
    edge_ranges(array, edges);
    char *saved = dsm_own_alloc(edge_bytes(&edges[0]) + edge_bytes(&edges[1]));
    memcpy(saved, edges[0].low, edge_bytes(&edges[0]));
    memcpy(saved + edge_bytes(&edges[0]), edges[1].low, edge_bytes(&edges[1]));
    return saved;
}

static void edges_restore(const struct dsm_array *array, char *saved) {
    struct dsm_range edges[2];
    edge_ranges(array, edges);
    memcpy((char *)edges[0].low, saved, edge_bytes(&edges[0]));
    memcpy((char *)edges[1].low, saved + edge_bytes(&edges[0]), edge_bytes(&edges[1]));
    dsm_own_free(saved);
}

/* ---- towards the stores ---------------------------------------------------------------------- */

/* Rank 0: have the stores what home has? */
static bool stores_valid(struct dsm_array *array) {
    enum dsm_home home = home_of(array);
    return home == DSM_HOME_LENT || (home == DSM_HOME_PENDING && !edges_changed(array)) ||
           (home == DSM_HOME_SHARED && !dsm_watch_changed(array->watch));
}

/* Rank 0, before rows leave: what happens to home from here on is noticed. */
static void share(struct dsm_array *array) {
    watch_off(array);
    array->watch = dsm_watch_start(array->nranges, array->ranges);
    atomic_store(&array->home, DSM_HOME_SHARED);
}

static void watches_sent(const struct dsm_array *array) {
    for (int i = 0; i < array->nranges; ++i)
        dsm_watch_sent(array->ranges[i].low, array->ranges[i].high);
}

static void lend(struct dsm_array *array) {
    watch_off(array);
    watches_hit(array);
    if (array->window)
        dsm_window_pending(array->window, false);
    else
        guard_on(array);
    atomic_store(&array->home, DSM_HOME_LENT);
}

/* Neighbours with one owner, this rank. */
static void neighbours_advise(struct dsm_array *array) {
    const struct dsm_layout *layout = &array->layout;
    for (int part = 0; part < layout->nparts;) {
        int first = part;
        while (part < layout->nparts && layout->owner[part] == dsm_world.rank)
            ++part;
        if (part > first)
            dsm_store_advise(array, first, part);
        else
            ++part;
    }
}

/* Parts stand where the layout says, on this rank. */
static void parts_place(struct dsm_array *array) {
    for (int part = 0; part < array->layout.nparts; ++part) {
        bool mine = array->layout.owner[part] == dsm_world.rank;
        enum dsm_part_state state = dsm_part_state(array, part);
        if (state == DSM_PART_ARRIVING) {
            dsm_fail(DSM_STATUS_ERROR, "array %s: distribute while part %d is arriving",
                     array->layout.name, part);
        }
        if (mine && state == DSM_PART_ABSENT)
            dsm_store_hold(array, part);
        else if (!mine && state == DSM_PART_PRESENT)
            dsm_store_drop(array, part);
        dsm_part_set(array, part, mine ? DSM_PART_PRESENT : DSM_PART_ABSENT);
        if (dsm_world.rank == 0)
            array->holders[part] = array->layout.owner[part];
    }
}

/* Does somebody keep rows that have been changed at home since? */
static bool is_stale(struct dsm_array *array) {
    if (array->alone || array->window || !array->view || array->holders[0] < 0)
        return false;
    enum dsm_home home = home_of(array);
    return home == DSM_HOME_OWN || (home == DSM_HOME_SHARED && dsm_watch_changed(array->watch));
}

/* Under a budget no rank keeps rows that nobody will need. */
static void stale_drop(void) {
    int numbers[STALE_MOST], count = 0;
    for (struct dsm_array *array = dsm_arrays.first;
         dsm_world.rank == 0 && array && count < STALE_MOST; array = array->next) {
        if (!is_stale(array))
            continue;
        watch_off(array);
        atomic_store(&array->home, DSM_HOME_OWN);
        numbers[count++] = array->number;
    }
    dsm_broadcast(&count, sizeof count);
    if (count == 0)
        return;
    dsm_broadcast(numbers, (size_t)count * sizeof *numbers);
    for (int i = 0; i < count; ++i)
        dsm_window_stores_drop(dsm_array_numbered(numbers[i]));
}

void dsm_array_distribute(struct dsm_array *array) {
    if (array->alone)
        return;
    bool leads = dsm_world.rank == 0;
    struct dsm_window_name from = {0};
    char move = leads && !stores_valid(array);
    if (move) {
        dsm_array_collect(array);
        from = dsm_window_lend(array);
    }
    dsm_broadcast(&move, 1);
    if (move) {
        dsm_broadcast(&from, sizeof from);
        array->window = from.number ? dsm_window_named(from) : NULL;
        atomic_fetch_add(&dsm_job.figures.distributes, 1);
        dsm_rows_commit(array);
        if (!array->window)
            neighbours_advise(array);
        parts_place(array);
        dsm_store_filled(array);
        if (leads && !array->window) {
            share(array);
            watches_sent(array);
        }
        if (array->window)
            dsm_window_move(array, true);
        else
            dsm_window_stores_come(array);
        if (!array->window)
            dsm_move_out(array);
    }
    if (leads && (array->layout.written || array->window))
        lend(array);
    if (move && dsm_job.budget)
        stale_drop();
}

/* ---- towards home ---------------------------------------------------------------------------- */

static void command(const struct dsm_array *array) {
    dsm_command_own(DSM_OP_COLLECT, &array->number, sizeof array->number);
}

bool dsm_home_serve(const void *collect, size_t bytes) {
    int number;
    if (bytes != sizeof number)
        return false;
    memcpy(&number, collect, sizeof number);
    struct dsm_array *array = dsm_array_numbered(number);
    if (array->window)
        dsm_window_move(array, false);
    else
        dsm_move_home(array);
    array->window = NULL;
    return true;
}

static void window_collect(struct dsm_array *array) {
    struct dsm_window *window = array->window;
    dsm_window_pending(window, false);
    command(array);
    dsm_window_move(array, false);
    array->window = NULL;
    atomic_store(&array->home, DSM_HOME_OWN);
    dsm_window_returned(window);
}

static void collect_locked(struct dsm_array *array) {
    enum dsm_home home = home_of(array);
    if (home != DSM_HOME_LENT && home != DSM_HOME_PENDING)
        return;
    bool newer = edges_changed(array);
    atomic_fetch_add(&dsm_job.figures.collects, 1);
    if (array->window) {
        window_collect(array);
        return;
    }
    command(array);
    guard_off(array);
    watch_off(array);
    watches_hit(array);
    char *edges = newer ? edges_save(array) : NULL;
    dsm_move_home(array);
    if (newer) {
        edges_restore(array, edges);
        atomic_store(&array->home, DSM_HOME_OWN);
    } else {
        share(array);
    }
}

void dsm_array_collect(struct dsm_array *array) {
    if (array->alone)
        return;
    dsm_lock_take(&collecting);
    collect_locked(array);
    dsm_lock_give(&collecting);
}

void dsm_array_release(struct dsm_array *array) {
    if (array->alone || home_of(array) != DSM_HOME_LENT)
        return;
    struct dsm_range edges[2];
    dsm_lock_take(&collecting);
    if (array->window) {
        atomic_store(&array->home, DSM_HOME_PENDING);
        dsm_window_pending(array->window, true);
    } else if (!atomic_load(&array->guarded)) {
        collect_locked(array);
    } else {
        if (array->nedges > 0) {
            edge_ranges(array, edges);
            array->watch = dsm_watch_start(2, edges);
        }
        atomic_store(&array->home, DSM_HOME_PENDING);
    }
    dsm_lock_give(&collecting);
}

static struct dsm_array *lazy_find(void) {
    dsm_lock_take(&dsm_arrays.lock);
    struct dsm_array *array = dsm_arrays.first;
    while (array && (array->alone || home_of(array) != DSM_HOME_PENDING))
        array = array->next;
    dsm_lock_give(&dsm_arrays.lock);
    return array;
}

void dsm_homes_collect(void) {
    struct dsm_array *array;
    while (dsm_world.rank == 0 && (array = lazy_find()) != NULL)
        dsm_array_collect(array);
    dsm_windows_close();
}

void dsm_home_end(struct dsm_array *array) {
    enum dsm_home home = home_of(array);
    if (home == DSM_HOME_LENT || home == DSM_HOME_PENDING)
        dsm_fail(DSM_STATUS_ERROR, "array %s is freed before it is collected", array->layout.name);
    watch_off(array);
}

/* ---- serial code touches home ---------------------------------------------------------------- */

static bool home_overlaps(const struct dsm_array *array, const char *low, const char *high) {
    return atomic_load(&array->guarded) && low < array->guard_high && array->guard_low < high;
}

/* The next guarded array in [low, high), or NULL. */
static struct dsm_array *guarded_find(const char *low, const char *high) {
    dsm_lock_take(&dsm_arrays.lock);
    struct dsm_array *array = dsm_arrays.first;
    while (array && !home_overlaps(array, low, high))
        array = array->next;
    dsm_lock_give(&dsm_arrays.lock);
    return array;
}

/* The memory goes away, or is new: what stands in it from now on is nobody's but the program's. */
static void disown(struct dsm_array *array) {
    guard_off(array);
    watch_off(array);
    atomic_store(&array->home, DSM_HOME_OWN);
}

static _Noreturn void lent_fail(const struct dsm_array *array) {
    dsm_fail(DSM_STATUS_FAULT, "array %s is used while a parallel loop has it", array->layout.name);
}

void dsm_homes_touch(const char *low, const char *high, enum dsm_touch how) {
    struct dsm_array *array;
    dsm_window_touch(low, high, how);
    while ((array = guarded_find(low, high)) != NULL)
        if (how == DSM_TOUCH_FREE)
            disown(array);
        else if (home_of(array) == DSM_HOME_LENT)
            lent_fail(array);
        else
            dsm_array_collect(array);
}

void dsm_home_touch(const char *low, const char *high, enum dsm_touch how) {
    dsm_lazy_touch(low, high, how);
    dsm_homes_touch(low, high, how);
}

static _Noreturn void touch_report(const struct dsm_array *array, const char *address, bool write) {
    char text[512];
    long row = (address - array->layout.base) / array->layout.row_stride;
    size_t size = array->layout.element_size ? array->layout.element_size : 1;
    size_t element = (size_t)((address - array->layout.base) % array->layout.row_stride) / size;
    snprintf(text, sizeof text,
             "array %s, row %ld, element %zu, at its home address: the loop reaches it past its "
             "plan",
             array->layout.name, row, element);
    dsm_fault_report(address, write, text);
}

void dsm_home_wanted(struct dsm_array *array, const char *address) {
    if (home_of(array) == DSM_HOME_LENT || dsm_context_get()->row >= 0)
        touch_report(array, address, false);
    dsm_array_collect(array);
}

void dsm_home_gone(struct dsm_array *array) {
    array->window = NULL;
    atomic_store(&array->home, DSM_HOME_OWN);
}

bool dsm_home_fault(const char *address, bool write) {
    struct dsm_array *array = guarded_find(address, address + 1);
    if (!array)
        return false;
    if (home_of(array) == DSM_HOME_LENT || dsm_context_get()->row >= 0)
        touch_report(array, address, write);
    dsm_array_collect(array);
    return true;
}
