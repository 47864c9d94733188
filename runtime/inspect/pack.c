/* Records in the order of their blocks. */
#include "runtime/base/memory.h"
#include "runtime/inspect/levels.h"
#include "runtime/inspect/walk.h"
#include "runtime/schedule/parts.h"

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

/* In n records the keys of relabelled dims become places. */
static void relabel(const struct walk *walk, char *records, const long *keys, long n) {
    const struct orrery_loop *loop = walk->loop;
    for (int f = 0; f < loop->nkey_fields; ++f) {
        const struct orrery_key_field *field = &loop->key_fields[f];
        int d = loop->keys[field->key].dim;
        const struct orrery_dim *dim = &walk->inspection->dims[d];
        char *at = records + field->offset;
        for (long j = 0; j < n && walk->inspection->relabel[d]; ++j, at += loop->record_size) {
            long key = keys[j * loop->nkeys + field->key];
            if (key != ORRERY_NO_KEY)
                write_field(at, field->size,
                            dim->low + (long)dim->place[key - dim->low] + field->constant);
        }
    }
}

/* A place of -1: not this record. */
static inline __attribute__((__always_inline__)) void
put_records(char *to, const char *from, size_t size, const long *places, long n) {
    for (long j = 0; j < n; ++j)
        if (__builtin_expect(places[j] >= 0, 1))
            memcpy(to + (size_t)places[j] * size, from + (size_t)j * size, size);
}

/* A copy of known size is a load and a store. */
static void put(char *to, const char *from, size_t size, const long *places, long n) {
    switch (size) {
    case 4:
        put_records(to, from, 4, places, n);
        return;
    case 8:
        put_records(to, from, 8, places, n);
        return;
    case 12:
        put_records(to, from, 12, places, n);
        return;
    case 16:
        put_records(to, from, 16, places, n);
        return;
    case 24:
        put_records(to, from, 24, places, n);
        return;
    default:
        put_records(to, from, size, places, n);
    }
}

/* Where the records of iterations i .. i + n - 1 go, -1: they are not of the rows. True: some do. */
static bool places_of(const struct walk *walk, long *cursors, const uint32_t *blocks, long n,
                      long *places) {
    long columns = walk->inspection->blocks.columns, any = -1;
    uint32_t first = (uint32_t)(walk->row_low * columns);
    uint32_t count = (uint32_t)((walk->row_high - walk->row_low) * columns);
    for (long j = 0; j < n; ++j) {
        places[j] = blocks[j] - first < count ? cursors[blocks[j]]++ : -1;
        any &= places[j];
    }
    return any != -1;
}

/* One batch at a time: blocks, places, records, and those to their places. Blocks that were not kept
 * are found by the keys. */
static void walk_pack(void *data, int worker) {
    struct walk *walk = data;
    const struct orrery_loop *loop = walk->loop;
    const struct orrery_inspection *inspection = walk->inspection;
    const struct orrery_packed *packed = walk->packed;
    long *cursors = walk->cursors + worker * walk->blocks;
    bool relabels = packed->records && orrery_inspection_relabels(inspection);
    size_t size = loop->record_size;
    long most = orrery_clamp((16 << 10) / ((long)size + 1), 1, WALK_BATCH);
    _Alignas(16) char records[(size_t)most * size + 1];
    long keys[WALK_BATCH * ORRERY_KEYS], places[WALK_BATCH];
    uint32_t blocks[WALK_BATCH];
    walk_keys_none(keys, most);
    long end = walk_share(walk, worker + 1);
    for (long n, i = walk_share(walk, worker); i < end; i += n) {
        n = end - i < most ? end - i : most;
        if (inspection->numbers) {
            walk_blocks_kept(walk, i, n, blocks);
        } else {
            loop->gathers(walk->env, i, n, NULL, keys, NULL);
            walk_blocks_of(walk, keys, i, n, blocks);
        }
        if (!places_of(walk, cursors, blocks, n, places))
            continue;
        if (packed->records) {
            loop->gathers(walk->env, i, n, records, relabels ? keys : NULL, NULL);
            if (relabels)
                relabel(walk, records, keys, n);
            put(packed->records, records, size, places, n);
        }
        for (long j = 0; j < n && packed->order; ++j)
            if (places[j] >= 0)
                packed->order[places[j]] = i + j;
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
    long row = walk->row_low, begin = levels->starts[walk->row_low * levels->columns];
    for (long place = orrery_share(count, worker, walk->workers); place < end; ++place) {
        char *record = walk->packed->records + (size_t)place * size;
        walk->loop->gather(walk->env, order[place], record, NULL, NULL);
        while (place >= levels->starts[(row + 1) * levels->columns] - begin)
            ++row;
        if (levels->hots)
            orrery_hots_rename(levels->hots, walk->loop, row, record);
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
