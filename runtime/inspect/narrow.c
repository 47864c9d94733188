/* Levels of some stretches of a loop's iterations: how much could run at once? */
#include "dsm/dsm.h"
#include "runtime/base/memory.h"
#include "runtime/inspect/chain.h"
#include "runtime/inspect/tables.h"
#include "runtime/schedule/share.h"

#include <stdlib.h>

/* Fewer iterations than LEAST are inspected in no time. Of all, each stretch has a share, at most
 * MOST; it is judged at its end and at its first quarter. */
enum { LEAST = 4096, STRETCHES = 3, SHARE = 16, MOST = 1 << 14 };

/*
 * What runs at once costs less than this, in elements that are touched (columns.h cuts levels of at
 * least 256), and does not get this much more when the stretch is four times as long. Levels are
 * many times as many as one element has writers: else longer stretches, which have other such
 * elements, could be wider.
 */
enum { NARROW = 64, LINKS = 4 };
#define GROWS 1.5

/* An element, the highest levels that have read and written it, and how many did write. */
struct place {
    int object; /* + 1; 0: the place is free */
    long unit;
    uint32_t read, written, writers;
};

/* `costs`: of the iterations of each level. `longest`: the most writers of one element. */
struct stretch {
    const struct orrery_listing *listing;
    struct orrery_touches list;
    size_t slots, taken;
    struct place *places;
    double *costs;
    uint32_t depth, longest;
};

static struct place *place_of(struct stretch *s, const struct orrery_touch *touch) {
    const uint64_t key = (uint64_t)touch->unit * 8 + (uint64_t)touch->object;
    size_t at = (key * 0x9e3779b97f4a7c15u >> 32) & (s->slots - 1);
    while (s->places[at].object &&
           (s->places[at].unit != touch->unit || s->places[at].object != touch->object + 1))
        at = (at + 1) & (s->slots - 1);
    s->taken += s->places[at].object == 0;
    s->places[at].unit = touch->unit;
    s->places[at].object = touch->object + 1;
    return &s->places[at];
}

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* False: there is no room for more elements. */
static bool take(struct stretch *s, long i) {
    uint32_t level = 0;
    orrery_list_fill(&s->list, s->listing, i);
    if (s->taken + (size_t)s->list.count > s->slots / 2)
        return false;
    for (long n = 0; n < s->list.count; ++n) {
        const struct place *place = place_of(s, &s->list.items[n]);
        level = later(level, place->written);
        level = s->list.items[n].written ? later(level, place->read) : level;
    }
    level += 1;
    for (long n = 0; n < s->list.count; ++n) {
        struct place *place = place_of(s, &s->list.items[n]);
        uint32_t *last = s->list.items[n].written ? &place->written : &place->read;
        place->writers += s->list.items[n].written && *last < level;
        *last = later(*last, level);
        s->longest = later(s->longest, place->writers);
    }
    s->costs[level] += (double)s->list.count + 1;
    s->depth = later(s->depth, level);
    return true;
}

/* The cost of the level that an iteration is in, on average over what iterations cost. */
static double width(const struct stretch *s) {
    double cost = 0, squares = 0;
    for (uint32_t l = 1; l <= s->depth; ++l) {
        cost += s->costs[l];
        squares += s->costs[l] * s->costs[l];
    }
    return squares / cost;
}

static bool looks_narrow(struct stretch *s, long begin, long length) {
    double before = 0;
    for (long n = 0; n < length; ++n) {
        if (!take(s, begin + n))
            return false;
        if (n + 1 == length / 4)
            before = width(s);
        if (before >= NARROW)
            return false;
    }
    double after = width(s);
    return after < GROWS * before && s->depth > LINKS * s->longest;
}

bool orrery_chain_is_narrow(const struct orrery_loop *loop, const void *env, long count) {
    const struct orrery_listing listing = {.loop = loop, .env = env, .count = count};
    const long length = count / SHARE < MOST ? count / SHARE : MOST;
    bool narrow = count >= LEAST;
    for (long k = 0; k < STRETCHES && narrow; ++k) {
        struct stretch s = {.listing = &listing, .list = orrery_list_new(), .slots = 16};
        while (s.slots < 16 * (size_t)length)
            s.slots *= 2;
        s.places = orrery_memory_aligned(s.slots * sizeof *s.places);
        s.costs = orrery_memory_aligned((size_t)(length + 2) * sizeof *s.costs);
        narrow = looks_narrow(&s, orrery_share(count, k, STRETCHES), length);
        orrery_memory_free(s.places);
        orrery_memory_free(s.costs);
        dsm_own_free(s.list.items);
    }
    return narrow;
}
