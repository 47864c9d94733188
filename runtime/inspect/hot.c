#include "runtime/inspect/hot.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"

#include <string.h>

/* Fewer writes are nobody's obstacle. */
enum { FEW = 64 };

/* ---- which rows are hot ---------------------------------------------------------------------- */

/* How many iterations write each place. */
static void writes_count(const struct orrery_listing *listing, const unsigned *items,
                         uint32_t *times, uint32_t *last) {
    for (long i = 0; i < listing->count; ++i)
        for (long n = listing->first[i]; n < listing->first[i + 1]; ++n) {
            unsigned place = items[n] >> 1;
            if (items[n] & 1 && last[place] != (uint32_t)i + 1) {
                last[place] = (uint32_t)i + 1;
                ++times[place];
            }
        }
}

static long unit_at(const struct orrery_table *table, size_t place) {
    return table->slots ? table->units[place] : table->low + (long)place;
}

/* Numbers the hot rows of object t. `number`: by place, from 1. */
static void object_find(struct orrery_hots *hots, const struct orrery_listing *listing, int t,
                        const uint32_t *times, uint32_t *number) {
    const struct orrery_table *table = &listing->tables[t];
    struct orrery_hot_object *object = &hots->objects[t];
    long most = listing->count / ORRERY_HOT_WIDE > FEW ? listing->count / ORRERY_HOT_WIDE : FEW;
    *object = (struct orrery_hot_object){.low = table->low, .high = table->high};
    if (!listing->loop->hot[t] || !table->touches)
        return;
    object->hot = orrery_memory_aligned((size_t)(table->high - table->low + 1) * sizeof(int));
    for (size_t place = 0; place < orrery_places_of(table); ++place) {
        if (times[place] <= (uint64_t)most)
            continue;
        size_t room = (size_t)(hots->count + 1);
        hots->object_of = dsm_own_realloc(hots->object_of, room * sizeof *hots->object_of);
        hots->unit_of = dsm_own_realloc(hots->unit_of, room * sizeof *hots->unit_of);
        hots->at_of = dsm_own_realloc(hots->at_of, room * sizeof *hots->at_of);
        hots->object_of[hots->count] = t;
        hots->unit_of[hots->count] = unit_at(table, place);
        hots->at_of[hots->count] = object->nhot++;
        object->hot[hots->unit_of[hots->count] - table->low] = (int)object->nhot;
        number[place] = (uint32_t)++hots->count;
    }
}

/* Moves what is hot from `items` to the touches; the others close up. */
static void touches_move(struct orrery_hots *hots, struct orrery_listing *listing, unsigned *items,
                         const uint32_t *number) {
    long kept = 0, moved = 0, begin = 0;
    size_t all = (size_t)listing->first[listing->count] + 1;
    hots->touches = orrery_memory_aligned(all * sizeof *hots->touches);
    hots->touch_first = orrery_memory_aligned((size_t)(listing->count + 1) * sizeof(long));
    for (long i = 0; i < listing->count; ++i) {
        long end = listing->first[i + 1];
        hots->touch_first[i] = moved;
        for (long n = begin; n < end; ++n) {
            uint32_t hot = number[items[n] >> 1];
            if (hot)
                hots->touches[moved++] = (hot - 1) << 1 | (items[n] & 1);
            else
                items[kept++] = items[n];
        }
        begin = end;
        listing->first[i + 1] = kept;
    }
    hots->touch_first[listing->count] = moved;
}

struct orrery_hots *orrery_hots_take(struct orrery_listing *listing, unsigned *items,
                                     const size_t *offset, size_t places) {
    int n = listing->loop->ntouched;
    struct orrery_hots *hots = orrery_memory_aligned(sizeof *hots);
    uint32_t *times = orrery_memory_aligned((places + 1) * sizeof *times);
    uint32_t *number = orrery_memory_aligned((places + 1) * sizeof *number);
    writes_count(listing, items, times, number);
    memset(number, 0, places * sizeof *number);
    hots->nobjects = n;
    hots->objects = orrery_memory_aligned((size_t)(n + 1) * sizeof *hots->objects);
    for (int t = 0; t < n; ++t)
        object_find(hots, listing, t, times + offset[t], number + offset[t]);
    if (hots->count)
        touches_move(hots, listing, items, number);
    orrery_memory_free(times);
    orrery_memory_free(number);
    if (hots->count)
        return hots;
    orrery_hots_free(hots);
    return NULL;
}

void orrery_hots_free(struct orrery_hots *hots) {
    if (!hots)
        return;
    for (int t = 0; t < hots->nobjects; ++t)
        orrery_memory_free(hots->objects[t].hot);
    orrery_memory_free(hots->objects);
    dsm_own_free(hots->object_of);
    dsm_own_free(hots->unit_of);
    dsm_own_free(hots->at_of);
    orrery_memory_free(hots->touch_first);
    orrery_memory_free(hots->touches);
    orrery_memory_free(hots->taken_first);
    dsm_own_free(hots->taken);
    orrery_memory_free(hots->merged_first);
    dsm_own_free(hots->merged);
    orrery_memory_free(hots);
}

/* ---- what blocks take, and what is merged behind a column ------------------------------------- */

struct placing {
    struct orrery_hots *hots;
    long *block_of, *column_of, *merge_of; /* by hot row: seen last in which, from 1; where it is */
    long ntaken, taken_room, nmerged, merged_room;
};

static void note_taken(struct placing *p, long block, unsigned hot) {
    if (p->block_of[hot] == block + 1)
        return;
    p->block_of[hot] = block + 1;
    if (p->ntaken == p->taken_room) {
        p->taken_room = 2 * p->taken_room + 1024;
        p->hots->taken =
            dsm_own_realloc(p->hots->taken, (size_t)p->taken_room * sizeof *p->hots->taken);
    }
    p->hots->taken[p->ntaken++] = hot;
}

static void note_merged(struct placing *p, long column, long row, unsigned hot) {
    if (p->column_of[hot] != column + 1) {
        p->column_of[hot] = column + 1;
        p->merge_of[hot] = p->nmerged;
        if (p->nmerged == p->merged_room) {
            p->merged_room = 2 * p->merged_room + 1024;
            p->hots->merged =
                dsm_own_realloc(p->hots->merged, (size_t)p->merged_room * sizeof *p->hots->merged);
        }
        p->hots->merged[p->nmerged++] = (struct orrery_hot_merge){hot, 0};
    }
    p->hots->merged[p->merge_of[hot]].rows |= (uint64_t)1 << row;
}

static void block_place(struct placing *p, const struct orrery_levels *levels, long column,
                        long row) {
    const struct orrery_hots *hots = p->hots;
    const long *start = &levels->starts[row * levels->columns + column];
    for (long place = start[0]; place < start[1]; ++place) {
        long i = levels->order[place];
        for (long n = hots->touch_first[i]; n < hots->touch_first[i + 1]; ++n) {
            note_taken(p, column * hots->rows + row, hots->touches[n] >> 1);
            if (hots->touches[n] & 1)
                note_merged(p, column, row, hots->touches[n] >> 1);
        }
    }
}

void orrery_hots_place(struct orrery_hots *hots, const struct orrery_levels *levels) {
    size_t blocks = (size_t)(levels->rows * levels->columns), room = (size_t)hots->count + 1;
    struct placing p = {.hots = hots,
                        .block_of = orrery_memory_aligned(room * sizeof(long)),
                        .column_of = orrery_memory_aligned(room * sizeof(long)),
                        .merge_of = orrery_memory_aligned(room * sizeof(long))};
    hots->rows = levels->rows;
    hots->columns = levels->columns;
    hots->taken_first = orrery_memory_aligned((blocks + 1) * sizeof *hots->taken_first);
    hots->merged_first = orrery_memory_aligned((size_t)(levels->columns + 1) * sizeof(long));
    for (long column = 0; column < levels->columns; ++column) {
        for (long row = 0; row < levels->rows; ++row) {
            block_place(&p, levels, column, row);
            hots->taken_first[column * hots->rows + row + 1] = p.ntaken;
        }
        hots->merged_first[column + 1] = p.nmerged;
    }
    orrery_memory_free(p.block_of);
    orrery_memory_free(p.column_of);
    orrery_memory_free(p.merge_of);
    orrery_memory_free(hots->touch_first);
    orrery_memory_free(hots->touches);
    hots->touch_first = NULL;
    hots->touches = NULL;
}

/* ---- keys in records -------------------------------------------------------------------------- */

static long key_read(const char *at, const struct orrery_hot_field *field) {
    uint64_t bits = 0;
    int unused = 64 - 8 * (int)field->size;
    memcpy(&bits, at, field->size);
    return field->is_signed ? (int64_t)(bits << unused) >> unused : (long)bits;
}

void orrery_hots_rename(const struct orrery_hots *hots, const struct orrery_loop *loop, long row,
                        char *record) {
    for (int f = 0; f < loop->nhot_fields; ++f) {
        const struct orrery_hot_field *field = &loop->hot_fields[f];
        const struct orrery_hot_object *object = &hots->objects[field->touched];
        char *at = record + field->offset;
        for (int n = 0; n < field->count && object->nhot; ++n, at += field->size) {
            long unit = key_read(at, field);
            bool used = unit >= object->low && unit <= object->high;
            int hot = used ? object->hot[unit - object->low] : 0;
            long copy = object->high + row * object->nhot + hot;
            if (hot)
                memcpy(at, &copy, field->size);
        }
    }
}
