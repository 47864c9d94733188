#include "runtime/execute/touched.h"

#include <string.h>

static void *zeros(long n, size_t size) {
    void *memory = dsm_own_alloc((size_t)(n + 1) * size);
    memset(memory, 0, (size_t)(n + 1) * size);
    return memory;
}

/* ---- where batons go ---- */

/* Per baton `room` ranks, `n` of them seen so far; more than that: it comes by too often. */
struct walk {
    const struct orrery_blocks *blocks;
    int (*rank_of)(long row, long rows);
    struct orrery_rings *rings;
    long room, *n;
};

static void comes_by(struct walk *walk, long baton, int rank) {
    int *ring = walk->rings->ranks + baton * walk->room;
    long n = walk->n[baton];
    if (n && ring[n - 1] == rank)
        return;
    if (n == walk->room)
        walk->rings->once[baton] = false;
    else
        ring[walk->n[baton]++] = rank;
}

static bool is_once(const int *ring, long n) {
    for (long i = 1; i < n - 1; ++i)
        for (long j = 0; j < i; ++j)
            if (ring[i] == ring[j])
                return false;
    return true;
}

/* The rings side by side. */
static void rings_close(struct walk *walk) {
    struct orrery_rings *rings = walk->rings;
    long at = 0;
    for (long b = 0; b < rings->batons; ++b) {
        int *ring = rings->ranks + b * walk->room;
        if (walk->n[b])
            comes_by(walk, b, ring[0]);
        rings->once[b] = rings->once[b] && is_once(ring, walk->n[b]);
        rings->first[b] = at;
        memmove(rings->ranks + at, ring, (size_t)walk->n[b] * sizeof *ring);
        at += walk->n[b];
    }
    rings->first[rings->batons] = at;
}

static void block_visit(void *data, long row, long column, long clock, const long *batons) {
    struct walk *walk = data;
    (void)column;
    (void)clock;
    for (int i = 0; i < walk->blocks->held; ++i)
        comes_by(walk, batons[i], walk->rank_of(row, walk->blocks->rows));
}

void orrery_rings_make(const struct orrery_blocks *blocks, int ranks,
                       int (*rank_of)(long row, long rows), struct orrery_rings *rings) {
    struct walk walk = {blocks, rank_of, rings, ranks + 2, NULL};
    rings->batons = blocks->batons;
    rings->first = zeros(blocks->batons, sizeof *rings->first);
    rings->ranks = zeros(blocks->batons * walk.room, sizeof *rings->ranks);
    rings->once = zeros(blocks->batons, sizeof *rings->once);
    memset(rings->once, 1, (size_t)blocks->batons * sizeof *rings->once);
    walk.n = zeros(blocks->batons, sizeof *walk.n);
    orrery_blocks_walk(blocks, block_visit, &walk);
    rings_close(&walk);
    dsm_own_free(walk.n);
}

void orrery_rings_free(struct orrery_rings *rings) {
    dsm_own_free(rings->first);
    dsm_own_free(rings->ranks);
    dsm_own_free(rings->once);
}

bool orrery_rings_fit(const struct orrery_rings *rings, const struct orrery_blocks *blocks, int d) {
    bool fit = blocks->first[d] >= 0;
    for (long p = 0; fit && p < blocks->parts[d]; ++p)
        fit = rings->once[blocks->first[d] + p];
    return fit;
}

/* ---- which rows go where ---- */

/* One baton of dim d: its places, its ring of `n` ranks. */
struct course {
    long low, high;
    const uint64_t *masks;
    const int *ring;
    long n;
};

static struct course course_of(const struct orrery_touchers *touches,
                               const struct orrery_rings *rings, int d, long part, long baton) {
    return (struct course){touches->cuts[d][part], touches->cuts[d][part + 1], touches->masks[d],
                           rings->ranks + rings->first[baton],
                           rings->first[baton + 1] - rings->first[baton]};
}

/* The ranks a row is on, one after the other: those that touch it, and home. */
static long stops_of(const struct course *course, long place, int *stops) {
    long n = 1;
    stops[0] = course->ring[0];
    for (long i = 1; i < course->n; ++i) {
        bool wanted = i == course->n - 1 || (course->masks[place] >> course->ring[i] & 1);
        if (wanted && stops[n - 1] != course->ring[i])
            stops[n++] = course->ring[i];
    }
    return n;
}

struct orrery_crossings orrery_touches_count(const struct orrery_touchers *touches,
                                             const struct orrery_rings *rings,
                                             const struct orrery_blocks *blocks, int d,
                                             bool (*crosses)(void *data, int from, int to),
                                             void *data) {
    struct orrery_crossings count = {0, 0};
    int stops[66];
    for (long p = 0; p < blocks->parts[d]; ++p) {
        struct course course = course_of(touches, rings, d, p, blocks->first[d] + p);
        for (long i = 1; i < course.n; ++i)
            if (crosses(data, course.ring[i - 1], course.ring[i]))
                count.whole += (uint64_t)(course.high - course.low);
        for (long place = course.low; course.n > 1 && place < course.high; ++place) {
            long n = stops_of(&course, place, stops);
            for (long i = 1; i < n; ++i)
                count.touched += crosses(data, stops[i - 1], stops[i]);
        }
    }
    return count;
}

/* ---- the lists of one rank ---- */

/* Of one baton: per peer how many rows go there and come from there, then where to put the next. */
struct lists {
    struct orrery_touched *touched; /* what is made */
    int rank, ranks;                /* this one, and how many there are */
    long *out, *in;                 /* per peer */
    long nout, nin;                 /* messages listed so far */
    long room_out, room_in;         /* for so many rows */
};

static void rows_count(struct lists *lists, const struct course *course) {
    int stops[66];
    for (long place = course->low; place < course->high; ++place) {
        long n = stops_of(course, place, stops);
        for (long i = 1; i < n; ++i) {
            lists->out[stops[i]] += stops[i - 1] == lists->rank;
            lists->in[stops[i - 1]] += stops[i] == lists->rank;
        }
    }
}

static void message_add(struct orrery_touched_message **list, long *n, long *room, int peer,
                        int part, long count) {
    if (*n + 1 >= *room) {
        *room = 2 * *room + 16;
        *list = dsm_own_realloc(*list, (size_t)*room * sizeof **list);
    }
    uint32_t *at = dsm_own_alloc((size_t)count * sizeof *at);
    (*list)[(*n)++] = (struct orrery_touched_message){peer, {part, count, at}};
}

/* Messages of the baton, with room for their rows. */
static void messages_add(struct lists *lists, int part) {
    for (int peer = 0; peer < lists->ranks; ++peer) {
        if (lists->out[peer])
            message_add(&lists->touched->out, &lists->nout, &lists->room_out, peer, part,
                        lists->out[peer]);
        if (lists->in[peer])
            message_add(&lists->touched->in, &lists->nin, &lists->room_in, peer, part,
                        lists->in[peer]);
    }
}

static void put(struct orrery_touched_message *messages, long n, int peer, uint32_t place,
                long *filled) {
    long i = 0;
    while (i < n && messages[i].peer != peer)
        ++i;
    ((uint32_t *)messages[i].rows.at)[filled[peer]++] = place;
}

static void rows_fill(struct lists *lists, const struct course *course, long out, long in) {
    struct orrery_touched *touched = lists->touched;
    int stops[66];
    for (long place = course->low; place < course->high; ++place) {
        long n = stops_of(course, place, stops);
        uint32_t at = (uint32_t)(place - course->low);
        for (long i = 1; i < n; ++i) {
            if (stops[i - 1] == lists->rank)
                put(touched->out + out, lists->nout - out, stops[i], at, lists->out);
            if (stops[i] == lists->rank)
                put(touched->in + in, lists->nin - in, stops[i - 1], at, lists->in);
        }
    }
}

static void baton_list(struct lists *lists, const struct course *course, int part) {
    size_t bytes = (size_t)lists->ranks * sizeof *lists->out;
    long out = lists->nout, in = lists->nin;
    memset(lists->out, 0, bytes);
    memset(lists->in, 0, bytes);
    rows_count(lists, course);
    messages_add(lists, part);
    memset(lists->out, 0, bytes);
    memset(lists->in, 0, bytes);
    rows_fill(lists, course, out, in);
}

struct orrery_touched *orrery_touched_make(const struct orrery_touchers *touches,
                                           const struct orrery_rings *rings,
                                           const struct orrery_blocks *blocks, int rank, int ranks,
                                           const bool dims[ORRERY_DIMS]) {
    struct orrery_touched *touched = zeros(1, sizeof *touched);
    struct lists lists = {.touched = touched, .rank = rank, .ranks = ranks};
    lists.out = zeros(ranks, sizeof *lists.out);
    lists.in = zeros(ranks, sizeof *lists.in);
    memcpy(touched->dims, dims, sizeof touched->dims);
    touched->batons = blocks->batons;
    touched->keeps = zeros(blocks->batons, sizeof *touched->keeps);
    touched->out_first = zeros(blocks->batons, sizeof *touched->out_first);
    touched->in_first = zeros(blocks->batons, sizeof *touched->in_first);
    for (int d = 0; d < blocks->ndims; ++d)
        for (long p = 0; blocks->first[d] >= 0 && p < blocks->parts[d]; ++p) {
            long baton = blocks->first[d] + p;
            touched->out_first[baton] = lists.nout;
            touched->in_first[baton] = lists.nin;
            if (dims[d]) {
                struct course course = course_of(touches, rings, d, p, baton);
                touched->keeps[baton] = course.n > 0 && course.ring[0] == rank;
                if (course.n > 1)
                    baton_list(&lists, &course, (int)p);
            }
        }
    touched->out_first[blocks->batons] = lists.nout;
    touched->in_first[blocks->batons] = lists.nin;
    dsm_own_free(lists.out);
    dsm_own_free(lists.in);
    return touched;
}

static void messages_free(struct orrery_touched_message *messages, long n) {
    for (long i = 0; i < n; ++i)
        dsm_own_free((void *)messages[i].rows.at);
    dsm_own_free(messages);
}

void orrery_touched_free(struct orrery_touched *touched) {
    if (!touched)
        return;
    messages_free(touched->out, touched->out_first[touched->batons]);
    messages_free(touched->in, touched->in_first[touched->batons]);
    dsm_own_free(touched->keeps);
    dsm_own_free(touched->out_first);
    dsm_own_free(touched->in_first);
    dsm_own_free(touched);
}
