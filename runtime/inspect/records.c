/* The records of a nest of rows (docs/transform.md): lists of both counters' values, made in front
 * of the loop and kept while the rows stay the same. */
#include "runtime/inspect/sites.h"

#include "dsm/dsm.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One row: the outer counter, the first value of the inner one, and the one behind its last, which
 * is below the first where the loop goes down. */
struct row {
    long outer, first, end;
};

struct rows {
    long count, room;
    struct row *items;
};

/* One place of the text. `now`: rows as they are being told; `before`: those that the lists
 * `counters` are of, `count` records in all. */
struct nest {
    struct site site;
    struct rows now, before;
    long count;
    void *counters[2];
};

static struct site *nests;

void *orrery_records_begin(const void *site) {
    struct nest *nest = orrery_site(&nests, site, sizeof *nest);
    nest->now.count = 0;
    return nest;
}

int orrery_records_more(int more) {
    return more;
}

void orrery_records_endless(void) {
    dsm_fail(1, "a row of a nest has no end: its loop's condition still holds where it should not");
}

static void add(struct rows *rows, struct row row) {
    if (rows->count == rows->room) {
        rows->room = rows->room ? 2 * rows->room : 1024;
        rows->items = dsm_own_realloc(rows->items, (size_t)rows->room * sizeof *rows->items);
    }
    rows->items[rows->count++] = row;
}

void orrery_records_row(void *list, long outer, long low, long high) {
    if (high <= low)
        dsm_fail(1, "a row of a nest has no end that a list can have: from %ld up to %ld", low,
                 high);
    add(&((struct nest *)list)->now, (struct row){outer, low, high});
}

void orrery_records_down(void *list, long outer, long high, long low) {
    if (high <= low)
        dsm_fail(1, "a row of a nest has no end that a list can have: from %ld down to %ld", high,
                 low);
    add(&((struct nest *)list)->now, (struct row){outer, high, low});
}

/* Both halves of the list, each of numbers of 4 or 8 bytes. */
static void put(void *numbers, int bytes, long at, long value) {
    if (bytes == 4)
        ((int *)numbers)[at] = (int)value;
    else
        ((long *)numbers)[at] = value;
}

static void fill(struct nest *nest, const int *bytes) {
    long at = 0;
    for (long i = 0; i < nest->now.count; ++i) {
        const struct row *row = &nest->now.items[i];
        const long step = row->first < row->end ? 1 : -1;
        for (long p = row->first; p != row->end; p += step, ++at) {
            put(nest->counters[0], bytes[0], at, row->outer);
            put(nest->counters[1], bytes[1], at, p);
        }
    }
}

static bool is_same(const struct rows *a, const struct rows *b) {
    return a->count == b->count &&
           (a->count == 0 || memcmp(a->items, b->items, (size_t)a->count * sizeof *a->items) == 0);
}

/* The lists are memory of the program's (malloc is the linker's wrapped one): every rank has them at
 * one address, and a checkpoint holds them. */
static void make(struct nest *nest, const int *bytes) {
    nest->count = 0;
    for (long i = 0; i < nest->now.count; ++i)
        if (__builtin_add_overflow(
                nest->count, labs(nest->now.items[i].end - nest->now.items[i].first), &nest->count))
            dsm_fail(1, "a nest has more records than a list can have");
    for (int c = 0; c < 2; ++c) {
        free(nest->counters[c]);
        nest->counters[c] = malloc((size_t)(nest->count + 1) * (size_t)bytes[c]);
    }
    fill(nest, bytes);
    struct rows old = nest->before;
    nest->before = nest->now;
    nest->now = old;
}

long orrery_records_end(void *list, int outer_bytes, int inner_bytes) {
    struct nest *nest = list;
    const int bytes[2] = {outer_bytes, inner_bytes};
    if (!nest->counters[0] || !is_same(&nest->now, &nest->before))
        make(nest, bytes);
    return nest->count;
}

const void *orrery_records_counter(const void *list, int which) {
    return ((const struct nest *)list)->counters[which];
}

/* ---- numbers of rows ------------------------------------------------------------------------- */

/* One place of the text: `count` elements of so many bytes. */
struct values {
    struct site site;
    long count, bytes;
    void *elements;
};

static struct site *values;

/* The same memory while there are as many rows, of the program's as the lists are. */
void *orrery_records_values(const void *site, long count, long bytes) {
    struct values *v = orrery_site(&values, site, sizeof *v);
    if (v->elements && v->count == count && v->bytes == bytes)
        return v->elements;
    free(v->elements);
    v->count = count;
    v->bytes = bytes;
    v->elements = calloc((size_t)(count > 0 ? count : 1), (size_t)bytes);
    if (!v->elements)
        dsm_fail(1, "no memory for a number of each of %ld rows", count);
    return v->elements;
}
