/* Records in the order of their blocks. */
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/inspect/walk.h"

#include <string.h>

static void write_field(char *field, unsigned size, long value) {
    int8_t narrow = (int8_t)value;
    int16_t half = (int16_t)value;
    int32_t word = (int32_t)value;
    const void *from = size == 1   ? (const void *)&narrow
                       : size == 2 ? (const void *)&half
                       : size == 4 ? (const void *)&word
                                   : (const void *)&value;
    memcpy(field, from, size);
}

static void relabel(const struct walk *walk, char *record, const long *keys) {
    for (int f = 0; f < walk->loop->nkey_fields; ++f) {
        const struct orrery_key_field *field = &walk->loop->key_fields[f];
        int d = walk->loop->keys[field->key].dim;
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        long key = keys[field->key];
        if (walk->inspection->relabel[d] && key != ORRERY_NO_KEY)
            write_field(record + field->offset, field->size,
                        dim->low + (long)dim->place[key - dim->low] + field->constant);
    }
}

static inline void copy_record(char *to, const char *from, size_t size) {
    switch (size) {
    case 4:
        memcpy(to, from, 4);
        return;
    case 8:
        memcpy(to, from, 8);
        return;
    case 12:
        memcpy(to, from, 12);
        return;
    case 16:
        memcpy(to, from, 16);
        return;
    case 24:
        memcpy(to, from, 24);
        return;
    default:
        memcpy(to, from, size);
    }
}

static void walk_pack(void *data, int worker) {
    struct walk *walk = data;
    const struct orrery_loop *loop = walk->loop;
    const struct orrery_inspection *inspection = walk->inspection;
    long *cursors = walk->cursors + worker * walk->blocks;
    long columns = inspection->blocks.columns;
    long first = walk->row_low * columns, last = walk->row_high * columns;
    bool relabels = orrery_inspection_relabels(inspection);
    size_t size = loop->record_size;
    _Alignas(16) char record[size + 1];
    long keys[ORRERY_KEYS];
    walk_keys_none(keys);
    long end = walk_share(walk, worker + 1);
    for (long i = walk_share(walk, worker); i < end; ++i) {
        loop->gather(walk->env, i, record, keys, NULL);
        long block = walk_block(walk, keys, i);
        if (block < first || block >= last)
            continue;
        if (relabels)
            relabel(walk, record, keys);
        long place = cursors[block]++;
        if (walk->packed->records)
            copy_record(walk->packed->records + (size_t)place * size, record, size);
        if (walk->packed->order)
            walk->packed->order[place] = i;
    }
}

/* Per worker and block of the rows, where its first record goes: blocks one after the other, inside
 * a block the workers in their order, which is the original one. */
static void cursors_make(struct walk *walk) {
    const struct orrery_inspection *inspection = walk->inspection;
    long columns = inspection->blocks.columns;
    walk->blocks = inspection->blocks.rows * columns;
    size_t bytes = (size_t)(walk->workers * walk->blocks) * sizeof *walk->cursors;
    walk->cursors = orrery_memory_aligned(bytes);
    memcpy(walk->cursors, inspection->tally, bytes);
    long place = 0;
    for (long b = walk->row_low * columns; b < walk->row_high * columns; ++b)
        for (int w = 0; w < walk->workers; ++w) {
            long n = walk->cursors[w * walk->blocks + b];
            walk->cursors[w * walk->blocks + b] = place;
            place += n;
        }
}

/* The blocks' order is known place by place, from the first of the rows that are packed. */
static void walk_listed(void *data, int worker) {
    struct walk *walk = data;
    const struct orrery_levels *levels = walk->inspection->levels;
    const long *order = levels->order + levels->starts[walk->row_low * levels->columns];
    size_t size = walk->loop->record_size;
    long count = walk->packed->count, end = orrery_share(count, worker + 1, walk->workers);
    for (long place = orrery_share(count, worker, walk->workers); place < end; ++place) {
        walk->loop->gather(walk->env, order[place], walk->packed->records + (size_t)place * size,
                           NULL, NULL);
        if (walk->packed->order)
            walk->packed->order[place] = order[place];
    }
}

/* Records of this rank's iterations in some blocks. */
static long records_in(const struct orrery_inspection *inspection, long first, long last) {
    bool all = inspection->starts && !inspection->remote;
    long count = all ? inspection->starts[last] - inspection->starts[first] : 0;
    long blocks = inspection->blocks.rows * inspection->blocks.columns;
    for (int w = 0; w < orrery_workers_count() && !all; ++w)
        for (long b = first; b < last; ++b)
            count += inspection->tally[w * blocks + b];
    return count;
}

void orrery_inspection_pack(const struct orrery_inspection *inspection,
                            const struct orrery_loop *loop, const void *env, long low, long high,
                            bool with_order, struct orrery_packed *out) {
    long columns = inspection->blocks.columns;
    struct walk walk;
    walk_start(&walk, loop, env, inspection->count, inspection);
    walk.row_low = low;
    walk.row_high = high;
    walk.packed = out;
    *out = (struct orrery_packed){0};
    out->count = records_in(inspection, low * columns, high * columns);
    out->mapped = (size_t)out->count * loop->record_size;
    out->records = orrery_memory_map(out->mapped);
    if (with_order) {
        out->order_mapped = (size_t)out->count * sizeof *out->order;
        out->order = (long *)orrery_memory_map(out->order_mapped);
    }
    if (inspection->levels) {
        orrery_workers_run(walk_listed, &walk);
        return;
    }
    cursors_make(&walk);
    orrery_workers_run(walk_pack, &walk);
    orrery_memory_free(walk.cursors);
}

void orrery_inspection_order(const struct orrery_inspection *inspection,
                             const struct orrery_loop *loop, const void *env, long *order) {
    struct orrery_packed packed = {.order = order};
    struct walk walk;
    walk_start(&walk, loop, env, inspection->count, inspection);
    walk.row_high = inspection->blocks.rows;
    walk.packed = &packed;
    cursors_make(&walk);
    orrery_workers_run(walk_pack, &walk);
    orrery_memory_free(walk.cursors);
}

void orrery_packed_free(struct orrery_packed *packed) {
    orrery_memory_unmap(packed->records, packed->mapped);
    orrery_memory_unmap(packed->order, packed->order_mapped);
    *packed = (struct orrery_packed){0};
}
