#include "runtime/execute/sets.h"

#include "dsm/dsm.h"

#include <stdlib.h>
#include <string.h>

static void make_room(struct orrery_set *set) {
    if (set->count < set->room)
        return;
    set->room = set->room ? 2 * set->room : 8;
    set->items = dsm_own_realloc(set->items, (size_t)set->room * sizeof *set->items);
}

void orrery_set_add(struct orrery_set *set, long low, long high) {
    struct orrery_interval *last = set->count ? &set->items[set->count - 1] : NULL;
    if (low >= high)
        return;
    if (last && low >= last->low && low <= last->high) {
        last->high = high > last->high ? high : last->high;
        return;
    }
    set->loose |= last && low < last->low;
    make_room(set);
    set->items[set->count++] = (struct orrery_interval){low, high};
}

static int by_low(const void *a, const void *b) {
    const struct orrery_interval *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

void orrery_set_settle(struct orrery_set *set) {
    long count = set->count;
    if (!set->loose)
        return;
    qsort(set->items, (size_t)count, sizeof *set->items, by_low);
    set->loose = false;
    set->count = 0;
    for (long i = 0; i < count; ++i)
        orrery_set_add(set, set->items[i].low, set->items[i].high);
}

void orrery_set_free(struct orrery_set *set) {
    dsm_own_free(set->items);
    *set = (struct orrery_set){0};
}

struct orrery_set orrery_set_both(const struct orrery_set *a, const struct orrery_set *b) {
    struct orrery_set both = {0};
    for (long i = 0, j = 0; i < a->count && j < b->count;) {
        const struct orrery_interval *x = &a->items[i], *y = &b->items[j];
        orrery_set_add(&both, x->low > y->low ? x->low : y->low,
                       x->high < y->high ? x->high : y->high);
        if (x->high < y->high)
            ++i;
        else
            ++j;
    }
    return both;
}

struct orrery_set orrery_set_without(const struct orrery_set *a, const struct orrery_set *b) {
    struct orrery_set rest = {0};
    for (long i = 0, j = 0; i < a->count; ++i) {
        long low = a->items[i].low, high = a->items[i].high;
        while (j < b->count && b->items[j].high <= low)
            ++j;
        for (long k = j; k < b->count && b->items[k].low < high; ++k) {
            orrery_set_add(&rest, low, b->items[k].low);
            low = b->items[k].high;
        }
        orrery_set_add(&rest, low, high);
    }
    return rest;
}

void orrery_set_join(struct orrery_set *a, struct orrery_set *b) {
    struct orrery_set sum = {0};
    long i = 0, j = 0;
    while (i < a->count || j < b->count) {
        bool first = j == b->count || (i < a->count && a->items[i].low <= b->items[j].low);
        const struct orrery_interval *next = first ? &a->items[i++] : &b->items[j++];
        orrery_set_add(&sum, next->low, next->high);
    }
    orrery_set_free(a);
    orrery_set_free(b);
    *a = sum;
}

void orrery_set_remove(struct orrery_set *a, const struct orrery_set *b) {
    struct orrery_set rest = orrery_set_without(a, b);
    orrery_set_free(a);
    *a = rest;
}

void orrery_set_copy(struct orrery_set *to, const struct orrery_set *from) {
    *to = (struct orrery_set){.count = from->count, .room = from->count};
    if (from->count == 0)
        return;
    to->items = dsm_own_alloc((size_t)from->count * sizeof *to->items);
    memcpy(to->items, from->items, (size_t)from->count * sizeof *to->items);
}

bool orrery_set_meets(const struct orrery_set *a, const struct orrery_set *b) {
    for (long i = 0, j = 0; i < a->count && j < b->count;)
        if (a->items[i].high <= b->items[j].low)
            ++i;
        else if (b->items[j].high <= a->items[i].low)
            ++j;
        else
            return true;
    return false;
}

size_t orrery_set_size(const struct orrery_set *set) {
    size_t size = 0;
    for (long i = 0; i < set->count; ++i)
        size += (size_t)(set->items[i].high - set->items[i].low);
    return size;
}
