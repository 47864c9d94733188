#include "runtime/inspect/count.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"

/* What one worker met of one dim: counts[key - low], for `room` keys from `low` on. */
struct table {
    _Alignas(64) long *counts;
    long low, room;
    long least, most; /* keys that it has no place for are too far apart: between which all are; */
    bool lost;        /* then there are no counts */
};

struct orrery_counter {
    const struct orrery_loop *loop;
    int workers;
    long most; /* keys that a table may have */
    struct table *tables;
};

struct orrery_counter *orrery_counter_new(const struct orrery_loop *loop, int workers, long count) {
    struct orrery_counter *counter = dsm_own_alloc(sizeof *counter);
    long most = ((1 << 18) + count / 4) / workers;
    *counter = (struct orrery_counter){.loop = loop, .workers = workers, .most = most};
    counter->tables =
        orrery_memory_aligned((size_t)(workers * ORRERY_DIMS) * sizeof *counter->tables);
    return counter;
}

static void widen(const struct table *table, long *low, long *high) {
    long first = 0, last = table->room;
    while (first < last && !table->counts[first])
        ++first;
    while (last > first && !table->counts[last - 1])
        --last;
    long least = table->lost ? table->least : first < last ? table->low + first : INT64_MAX;
    long most = table->lost ? table->most : first < last ? table->low + last - 1 : INT64_MIN;
    *low = least < *low ? least : *low;
    *high = most > *high ? most : *high;
}

static void table_lose(struct table *table) {
    struct table lost = {.least = INT64_MAX, .most = INT64_MIN};
    widen(table, &lost.least, &lost.most);
    lost.lost = true;
    orrery_memory_free(table->counts);
    *table = lost;
}

/* A place for each of [low, high], and as many beside them, most where the range grows; some on the
 * other side, too, so that keys that come from both sides in turn make it grow a few times only. */
static void table_resize(struct table *table, long low, long high, bool falls, long most) {
    enum { LEAST = 4096 };
    long range = high - low + 1, room = 2 * range < LEAST ? LEAST : 2 * range;
    room = room > most ? most : room;
    long beside = room - range, first = low - (falls ? beside - beside / 4 : beside / 4);
    long *counts = orrery_memory_aligned((size_t)room * sizeof *counts);
    for (long v = 0; v < table->room; ++v)
        if (table->counts[v])
            counts[table->low + v - first] = table->counts[v];
    orrery_memory_free(table->counts);
    *table = (struct table){.counts = counts, .low = first, .room = room};
}

/* Makes a place for the key. Keys that an iteration does not use may be anything: what comes near the
 * ends of all numbers has no place, so that differences and ends of ranges are numbers. */
static void table_cover(struct table *table, long key, long most) {
    const long far = INT64_MAX / 4;
    long low = key, high = key;
    widen(table, &low, &high);
    if (key < -far || key > far || high - low >= most)
        table_lose(table);
    else
        table_resize(table, low, high, key == low, most);
}

static void table_range(struct table *table, const long *keys, long n, int nkeys) {
    for (long j = 0; j < n; ++j) {
        long key = keys[j * nkeys];
        if (key == ORRERY_NO_KEY)
            continue;
        table->least = key < table->least ? key : table->least;
        table->most = key > table->most ? key : table->most;
    }
}

/* Up to the first iteration whose key has no place yet; n: all have. */
static long table_count(const struct table *table, const long *keys, long n, int nkeys,
                        const long *weights) {
    long *counts = table->counts, low = table->low;
    unsigned long room = (unsigned long)table->room;
    for (long j = 0; j < n; ++j) {
        long key = keys[j * nkeys];
        unsigned long at = (unsigned long)key - (unsigned long)low;
        if (at < room)
            counts[at] += weights ? weights[j] : 1;
        else if (key != ORRERY_NO_KEY)
            return j;
    }
    return n;
}

static void table_add(struct table *table, const long *keys, long n, int nkeys, const long *weights,
                      long most) {
    long at = 0;
    while (at < n && !table->lost) {
        at += table_count(table, keys + at * nkeys, n - at, nkeys, weights ? weights + at : NULL);
        if (at < n)
            table_cover(table, keys[at * nkeys], most);
    }
    table_range(table, keys + at * nkeys, n - at, nkeys);
}

void orrery_counter_add(struct orrery_counter *counter, int worker, const long *keys, long n,
                        const long *weights) {
    int nkeys = counter->loop->nkeys;
    for (int k = 0; k < nkeys; ++k)
        table_add(&counter->tables[worker * ORRERY_DIMS + counter->loop->keys[k].dim], keys + k, n,
                  nkeys, weights, counter->most);
}

void orrery_counter_range(const struct orrery_counter *counter, int d, long *low, long *high) {
    for (int w = 0; w < counter->workers; ++w)
        widen(&counter->tables[w * ORRERY_DIMS + d], low, high);
}

bool orrery_counter_sum(const struct orrery_counter *counter, int d, long low, long *counts) {
    for (int w = 0; w < counter->workers; ++w)
        if (counter->tables[w * ORRERY_DIMS + d].lost)
            return false;
    for (int w = 0; w < counter->workers; ++w) {
        const struct table *table = &counter->tables[w * ORRERY_DIMS + d];
        for (long v = 0; v < table->room; ++v)
            if (table->counts[v])
                counts[table->low - low + v] += table->counts[v];
    }
    return true;
}

void orrery_counter_free(struct orrery_counter *counter) {
    if (!counter)
        return;
    for (int t = 0; t < counter->workers * ORRERY_DIMS; ++t)
        orrery_memory_free(counter->tables[t].counts);
    orrery_memory_free(counter->tables);
    dsm_own_free(counter);
}
