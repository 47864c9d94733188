/* The records of a nest of rows (docs/transform.md): lists of both counters' values, made in front
 * of the loop and kept while the rows stay the same. */
#include "runtime/inspect/sites.h"

#include "dsm/dsm.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A row, or a part of one: the outer counter, the first value of the inner one, and how many there
 * are, each greater by 1 than the one before; negative: less by 1. */
struct row {
    long outer, first, rounds;
};

struct rows {
    long count, room;
    struct row *items;
};

/* One place of the text. `now`: rows as they are being told; `before`: those that the lists
 * `counters` are of, `count` records in all. `mark`: where a row was that goes from link to link,
 * `since` links ago, of at most `most` (Brent, An improved Monte Carlo factorization algorithm,
 * BIT 20, 1980). */
struct nest {
    struct site site;
    struct rows now, before;
    long mark, since, most;
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

static long rounds_between(long low, long high) {
    long rounds;
    if (__builtin_sub_overflow(high, low, &rounds) || rounds <= 0)
        dsm_fail(1, "a row of a nest has no end that a list can have: from %ld to %ld", low, high);
    return rounds;
}

void orrery_records_row(void *list, long outer, long low, long high) {
    add(&((struct nest *)list)->now, (struct row){outer, low, rounds_between(low, high)});
}

void orrery_records_down(void *list, long outer, long high, long low) {
    add(&((struct nest *)list)->now, (struct row){outer, high, -rounds_between(low, high)});
}

void orrery_records_link(void *list, long outer, long at) {
    struct nest *nest = list;
    const struct rows *rows = &nest->now;
    if (rows->count == 0 || rows->items[rows->count - 1].outer != outer)
        nest->since = nest->most = 0;
    else if (at == nest->mark)
        dsm_fail(1, "a row of a nest has no end: it comes back to %ld", at);
    if (nest->since++ == nest->most) {
        nest->mark = at;
        nest->since = 0;
        nest->most = 2 * nest->most + 1;
    }
    add(&nest->now, (struct row){outer, at, 1});
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
    for (long r = 0; r < nest->now.count; ++r) {
        const struct row *row = &nest->now.items[r];
        const long step = row->rounds > 0 ? 1 : -1;
        for (long i = 0; i != row->rounds; i += step, ++at) {
            put(nest->counters[0], bytes[0], at, row->outer);
            put(nest->counters[1], bytes[1], at, row->first + i);
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
        if (__builtin_add_overflow(nest->count, labs(nest->now.items[i].rounds), &nest->count))
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
