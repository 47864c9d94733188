/* Arrays: making and ending them, who owns what,
 * and what the first touch of a stranger's row says. */
#include "dsm/arrays/window.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define TAG_SETTLE 4

struct dsm_arrays dsm_arrays;

struct dsm_array *dsm_array_numbered(int number) {
    for (struct dsm_array *array = dsm_arrays.first; array; array = array->next)
        if (array->number == number)
            return array;
    dsm_malformed(0, "there is no array %d on this rank", number);
}

/* ---- the layout ---- */

static _Noreturn void layout_refuse(const struct dsm_layout *layout, const char *why) {
    dsm_fail(DSM_STATUS_ERROR, "array %s: bad layout: %s", layout->name ? layout->name : "?", why);
}

static void parts_check(const struct dsm_layout *layout) {
    if (layout->nparts < 1 || layout->cuts[0] != 0 || layout->cuts[layout->nparts] != layout->nrows)
        layout_refuse(layout, "its parts are not all of its rows");
    for (int part = 0; part < layout->nparts; ++part) {
        if (layout->cuts[part] > layout->cuts[part + 1])
            layout_refuse(layout, "cuts do not ascend");
        if (layout->owner[part] < 0 || layout->owner[part] >= dsm_world.ranks)
            layout_refuse(layout, "a part's owner is not a rank");
    }
}

/* `order` must be a permutation: a row in two parts would have two owners. */
static void order_check(const struct dsm_layout *layout) {
    size_t words = ((size_t)layout->nrows + 63) / 64;
    uint64_t *seen = memset(dsm_own_alloc(words * 8), 0, words * 8);
    for (long position = 0; layout->order && position < layout->nrows; ++position) {
        long v = (long)layout->order[position];
        if (v >= layout->nrows || (seen[v / 64] >> (v % 64) & 1))
            layout_refuse(layout, "its order is not a permutation of its rows");
        seen[v / 64] |= 1UL << (v % 64);
    }
    dsm_own_free(seen);
}

static void layout_check(const struct dsm_layout *layout) {
    if (layout->nrows < 0 || layout->pieces < 0 || layout->piece_bytes < 0)
        layout_refuse(layout, "a size is negative");
    if (layout->mode == DSM_VIEW &&
        (layout->pieces != 1 || layout->row_stride != layout->piece_bytes ||
         layout->piece_bytes == 0 || layout->table))
        layout_refuse(layout, "a view needs rows that are contiguous and follow each other");
    if (layout->piece_table && (layout->mode == DSM_VIEW || layout->table))
        layout_refuse(layout, "pieces behind a table stay in place and have no other table");
    parts_check(layout);
    order_check(layout);
}

static void *copy_of(const void *data, size_t bytes) {
    return data ? memcpy(dsm_own_alloc(bytes), data, bytes) : NULL;
}

static void layout_copy(struct dsm_layout *to, const struct dsm_layout *from) {
    size_t rows = (size_t)from->nrows, parts = (size_t)from->nparts;
    const char *name = from->name ? from->name : "?";
    *to = *from;
    to->name = copy_of(name, strlen(name) + 1);
    if (!from->lasting)
        to->order = copy_of(from->order, rows * sizeof *from->order);
    to->table = copy_of(from->table, rows * sizeof *from->table);
    to->piece_table = copy_of(from->piece_table, (size_t)from->pieces * sizeof *from->piece_table);
    to->cuts = copy_of(from->cuts, (parts + 1) * sizeof *from->cuts);
    to->owner = copy_of(from->owner, parts * sizeof *from->owner);
}

static void layout_free(struct dsm_layout *layout) {
    dsm_own_free((void *)layout->name);
    if (!layout->lasting)
        dsm_own_free((void *)layout->order);
    dsm_own_free(layout->table);
    dsm_own_free(layout->piece_table);
    dsm_own_free((void *)layout->cuts);
    dsm_own_free((void *)layout->owner);
}

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
    return data ? XXH64(data, bytes, hash) : hash;
}

static uint64_t layout_hash(const struct dsm_layout *layout) {
    size_t rows = (size_t)layout->nrows, parts = (size_t)layout->nparts;
    long numbers_of[] = {layout->mode,         (long)(uintptr_t)layout->base,
                         layout->nrows,        layout->row_stride,
                         layout->pieces,       layout->piece_bytes,
                         layout->piece_stride, (long)layout->element_size,
                         layout->nparts,       layout->written,
                         layout->travels};
    uint64_t hash = mix(1, numbers_of, sizeof numbers_of);
    hash = mix(hash, layout->order, rows * sizeof *layout->order);
    hash = mix(hash, layout->table, rows * sizeof *layout->table);
    hash = mix(hash, layout->piece_table, (size_t)layout->pieces * sizeof *layout->piece_table);
    hash = mix(hash, layout->cuts, (parts + 1) * sizeof *layout->cuts);
    return mix(hash, layout->owner, parts * sizeof *layout->owner);
}

/* ---- new, free ---- */

/* What the ranks must agree on, and what only rank 0 knows. */
struct agreement {
    uint64_t hash;
    char *guard_low, *guard_high;
};

static void array_agree(struct dsm_array *array) {
    uint64_t hash = layout_hash(&array->layout);
    struct agreement agreement = {hash, array->guard_low, array->guard_high};
    dsm_broadcast(&agreement, sizeof agreement);
    if (agreement.hash != hash) {
        dsm_fail(DSM_STATUS_ERROR, "array %s: its layout here is not that of rank 0",
                 array->layout.name);
    }
    array->guard_low = agreement.guard_low;
    array->guard_high = agreement.guard_high;
}

static bool on_edge(const struct dsm_array *array, long position) {
    const char *row = dsm_row_home(array, dsm_row_at(array, position));
    return row < array->guard_low || row + array->row_bytes > array->guard_high;
}

static void edges_list(struct dsm_array *array) {
    long room = 0;
    for (long position = 0; array->guard_low && position < array->layout.nrows; ++position) {
        if (!on_edge(array, position))
            continue;
        if (array->nedges == room) {
            room = room ? 2 * room : 16;
            array->edges = dsm_own_realloc(array->edges, (size_t)room * sizeof *array->edges);
        }
        array->edges[array->nedges++] = position;
    }
}

static void view_start(struct dsm_array *array) {
    array->view_bytes = (size_t)array->layout.nrows * (size_t)array->row_bytes;
    size_t pages = dsm_page_up(array->view_bytes) / DSM_PAGE;
    size_t parts = (size_t)array->layout.nparts;
    array->tokens = memset(dsm_own_alloc(parts), 0, parts);
    array->view = dsm_view_alloc(array->view_bytes);
    array->shared =
        array->layout.travels && dsm_shared_map(array->view, dsm_page_up(array->view_bytes));
    array->uses =
        memset(dsm_own_alloc(pages * sizeof *array->uses), 0, pages * sizeof *array->uses);
    array->stamps =
        memset(dsm_own_alloc(pages * sizeof *array->stamps), 0, pages * sizeof *array->stamps);
}

static void array_start(struct dsm_array *array) {
    size_t parts = (size_t)array->layout.nparts;
    array->states = dsm_own_alloc(parts * sizeof *array->states);
    array->resting = dsm_own_alloc(parts * sizeof *array->resting);
    for (size_t part = 0; part < parts; ++part) {
        atomic_init(&array->states[part], DSM_PART_ABSENT);
        atomic_init(&array->resting[part], 0);
    }
    if (dsm_is_view(array))
        view_start(array);
    if (dsm_world.rank == 0) {
        array->holders = memset(dsm_own_alloc(parts * sizeof *array->holders), -1,
                                parts * sizeof *array->holders);
        dsm_home_start(array);
    }
    array_agree(array);
    edges_list(array);
}

struct dsm_array *dsm_array_new(const struct dsm_layout *layout) {
    struct dsm_array *array = dsm_own_alloc(sizeof *array);
    *array = (struct dsm_array){.number = ++dsm_arrays.numbers, .alone = dsm_world.ranks == 1};
    layout_check(layout);
    layout_copy(&array->layout, layout);
    array->row_bytes = layout->pieces * layout->piece_bytes;
    dsm_store_filled(array);
    if (!array->alone)
        array_start(array);
    dsm_lock_take(&dsm_arrays.lock);
    array->next = dsm_arrays.first;
    dsm_arrays.first = array;
    dsm_lock_give(&dsm_arrays.lock);
    return array;
}

static void array_unlink(struct dsm_array *array) {
    dsm_lock_take(&dsm_arrays.lock);
    struct dsm_array **link = &dsm_arrays.first;
    while (*link != array)
        link = &(*link)->next;
    *link = array->next;
    dsm_lock_give(&dsm_arrays.lock);
}

void dsm_array_free(struct dsm_array *array) {
    if (!array->alone && dsm_world.rank == 0)
        dsm_home_end(array);
    dsm_window_views(array, 0);
    dsm_window_stores(array, 0);
    array_unlink(array);
    if (array->view) {
        dsm_store_forget(array);
        if (array->shared)
            dsm_shared_unmap(array->view, dsm_page_up(array->view_bytes));
        dsm_view_free(array->view, array->view_bytes);
    }
    dsm_own_free(array->tokens);
    dsm_own_free(array->uses);
    dsm_own_free(array->stamps);
    dsm_own_free(array->states);
    dsm_own_free(array->resting);
    dsm_own_free(array->holders);
    dsm_own_free(array->edges);
    dsm_own_free(array->ranges);
    dsm_own_free(array->places);
    layout_free(&array->layout);
    dsm_own_free(array);
}

char *dsm_array_base(const struct dsm_array *array) {
    return array->view ? array->view : array->layout.base;
}

int dsm_part_owner(const struct dsm_array *array, int part) {
    if (array->alone)
        return 0;
    enum dsm_part_state state = dsm_part_state(array, part);
    return state == DSM_PART_ABSENT || state == DSM_PART_KEPT ? -1 : dsm_world.rank;
}

/* ---- settle ---- */

static void settle_one(struct dsm_array *array, int rank, const unsigned char *owned) {
    for (int part = 0; part < array->layout.nparts; ++part) {
        if (!owned[part])
            continue;
        if (array->holders[part] >= 0) {
            dsm_fail(DSM_STATUS_ERROR, "array %s: part %d is on rank %d and on rank %d",
                     array->layout.name, part, array->holders[part], rank);
        }
        array->holders[part] = rank;
    }
}

static void settle_check(const struct dsm_array *array) {
    for (int part = 0; part < array->layout.nparts; ++part)
        if (array->holders[part] < 0)
            dsm_fail(DSM_STATUS_ERROR, "array %s: part %d is on no rank", array->layout.name, part);
}

void dsm_array_settle(struct dsm_array *array) {
    if (array->alone)
        return;
    size_t parts = (size_t)array->layout.nparts;
    unsigned char *owned = dsm_own_alloc(parts);
    for (size_t part = 0; part < parts; ++part)
        owned[part] = dsm_part_owner(array, (int)part) >= 0;
    if (dsm_world.rank > 0) {
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_SETTLE, owned, parts));
    } else {
        memset(array->holders, -1, parts * sizeof *array->holders);
        settle_one(array, 0, owned);
        for (int rank = 1; rank < dsm_world.ranks; ++rank) {
            dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_SETTLE, owned, parts));
            settle_one(array, rank, owned);
        }
        settle_check(array);
        if (array->window && !array->layout.written)
            dsm_array_release(array);
    }
    if (array->nedges > 0 && !array->window)
        dsm_move_edges(array);
    dsm_own_free(owned);
}

/* ---- a fault inside a view ---- */

static void fault_describe(const struct dsm_array *array, const char *address, char *text,
                           size_t size) {
    size_t offset = (size_t)(address - array->view), row = (size_t)array->row_bytes;
    if (offset >= array->view_bytes) {
        snprintf(text, size, "memory behind the last row of array %s", array->layout.name);
        return;
    }
    long position = (long)(offset / row);
    size_t element = offset % row / (array->layout.element_size ? array->layout.element_size : 1);
    int part = dsm_part_at(array, position);
    snprintf(text, size, "array %s, row %ld, element %zu: the row is in part %d, which %s",
             array->layout.name, dsm_row_at(array, position), element, part,
             atomic_load(&array->resting[part]) ? "no block that runs now has"
                                                : "is not on this rank");
}

void dsm_array_fault(const char *address, bool write) {
    char text[512];
    if (!dsm_in_views(address))
        return;
    dsm_lock_take(&dsm_arrays.lock);
    struct dsm_array *array = dsm_arrays.first;
    while (array && (!array->view || address < array->view ||
                     address >= array->view + dsm_page_up(array->view_bytes) + DSM_PAGE))
        array = array->next;
    dsm_lock_give(&dsm_arrays.lock);
    if (!array)
        return;
    size_t page = (size_t)(address - array->view) / DSM_PAGE;
    if (page * DSM_PAGE < array->view_bytes && array->uses[page] > 0)
        return;
    fault_describe(array, address, text, sizeof text);
    dsm_fault_report(address, write, text);
}
