#include "runtime/execute/places.h"

#include "dsm/dsm.h"
#include "runtime/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 4096, MIXED = -1, NEAR = 1 << 16 };

/* ---- pieces ---------------------------------------------------------------------------------- */

void orrery_places_add(struct orrery_places *places, struct orrery_piece piece) {
    if (places->count == places->room) {
        places->room = places->room ? 2 * places->room : 8;
        places->items =
            dsm_own_realloc(places->items, (size_t)places->room * sizeof *places->items);
    }
    piece.here = piece.low;
    places->items[places->count++] = piece;
}

static int by_address(const void *a, const void *b) {
    const struct orrery_piece *x = a, *y = b;
    return x->low < y->low ? -1 : x->low > y->low;
}

static void regroup(struct orrery_places *places, int from, int to) {
    for (long i = 0; i < places->count; ++i)
        if (places->items[i].group == from)
            places->items[i].group = to;
}

void orrery_places_settle(struct orrery_places *places) {
    long kept = 0;
    if (places->count == 0)
        return;
    qsort(places->items, (size_t)places->count, sizeof *places->items, by_address);
    for (long i = 1; i < places->count; ++i) {
        struct orrery_piece *last = &places->items[kept], *next = &places->items[i];
        if (next->low >= last->high) {
            places->items[++kept] = *next;
            continue;
        }
        last->high = next->high > last->high ? next->high : last->high;
        last->constant &= next->constant;
        if (next->group != last->group)
            regroup(places, next->group, last->group);
    }
    places->count = kept + 1;
}

void orrery_places_free(struct orrery_places *places) {
    for (long i = 0; i < places->count; ++i)
        if (places->items[i].here != places->items[i].low)
            orrery_memory_unmap(places->items[i].here,
                                (size_t)(places->items[i].high - places->items[i].low));
    dsm_own_free(places->items);
    *places = (struct orrery_places){0};
}

struct orrery_piece *orrery_places_find(const struct orrery_places *places, const char *address) {
    long low = 0, high = places->count;
    while (low < high) {
        long middle = (low + high) / 2;
        if (places->items[middle].high <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < places->count && places->items[low].low <= address ? &places->items[low] : NULL;
}

/* ---- places ---------------------------------------------------------------------------------- */

void orrery_places_look(struct orrery_places *places, const struct orrery_stretch *stretch) {
    struct orrery_piece *piece = orrery_places_find(places, stretch->first);
    long step = labs(stretch->step);
    if (!piece || stretch->count < 2)
        return;
    bool fits = step != stretch->size && step > 0 && step % stretch->size == 0 &&
                (stretch->first - piece->low) % stretch->size == 0;
    bool other = piece->stride && (piece->stride != step || piece->element != stretch->size);
    piece->stride = fits && !other ? step : MIXED;
    piece->element = stretch->size;
}

static long columns_of(const struct orrery_piece *piece) {
    return (piece->high - piece->low + piece->stride - 1) / piece->stride;
}

void orrery_places_count(struct orrery_places *places) {
    long origin = 0;
    for (long i = 0; i < places->count; ++i) {
        struct orrery_piece *piece = &places->items[i];
        if (piece->stride == MIXED)
            piece->stride = 0;
        piece->origin = origin;
        origin += piece->stride ? columns_of(piece) * piece->stride : piece->high - piece->low;
        origin += GAP;
    }
}

static long place_of(const struct orrery_piece *piece, const char *address) {
    long at = address - piece->low;
    if (!piece->stride)
        return piece->origin + at;
    long line = at / piece->stride, in_line = at % piece->stride;
    return piece->origin + (in_line / piece->element * columns_of(piece) + line) * piece->element +
           in_line % piece->element;
}

/* Elements whose places are those of their addresses, or who lie in a column as places do. */
static bool is_straight(const struct orrery_piece *piece, const struct orrery_stretch *stretch) {
    long step = labs(stretch->step);
    return piece->stride ? stretch->size == piece->element &&
                               (step == piece->stride || stretch->count == 1) &&
                               (stretch->first - piece->low) % piece->element == 0
                         : step == stretch->size || stretch->count == 1;
}

static void take_bytes(const struct orrery_piece *piece, const char *address, long bytes,
                       struct orrery_set *set) {
    for (long i = 0; i < bytes; i += piece->stride ? 1 : bytes) {
        long place = place_of(piece, address + i);
        orrery_set_add(set, place, place + (piece->stride ? 1 : bytes));
    }
}

bool orrery_places_take(const struct orrery_places *places, const struct orrery_stretch *stretch,
                        struct orrery_set *set) {
    const struct orrery_piece *piece = orrery_places_find(places, stretch->first);
    const char *last = stretch->first + (stretch->count - 1) * stretch->step;
    const char *low = stretch->step < 0 ? last : stretch->first;
    const char *high = (stretch->step < 0 ? stretch->first : last) + stretch->size;
    if (!piece || low < piece->low || high > piece->high)
        return false;
    if (piece->constant)
        return true;
    if (is_straight(piece, stretch)) {
        long place = place_of(piece, low);
        orrery_set_add(set, place, place + stretch->count * stretch->size);
        return true;
    }
    for (long i = 0; i < stretch->count; ++i)
        take_bytes(piece, stretch->first + i * stretch->step, stretch->size, set);
    return true;
}

void orrery_places_all(const struct orrery_piece *piece, struct orrery_set *set) {
    long bytes = piece->high - piece->low, stride = piece->stride ? piece->stride : bytes;
    long element = piece->stride ? piece->element : bytes;
    for (long at = 0; at < stride && at + element <= bytes; at += element) {
        long place = place_of(piece, piece->low + at);
        orrery_set_add(set, place, place + ((bytes - at - element) / stride + 1) * element);
    }
}

/* Of the element at this place in its line, in the lines in which it lies in [low, high). */
static void take_lines(const struct orrery_piece *piece, long element, long low, long high,
                       struct orrery_set *set) {
    long first = low > element ? (low - element + piece->stride - 1) / piece->stride : 0;
    long end = high > element ? (high - element + piece->stride - 1) / piece->stride : 0;
    long place = place_of(piece, piece->low + element);
    orrery_set_add(set, place + first * piece->element, place + end * piece->element);
}

void orrery_places_range(const struct orrery_piece *piece, const char *low, const char *high,
                         struct orrery_set *set) {
    long from = low - piece->low, to = high - piece->low, size = piece->element;
    if (!piece->stride) {
        orrery_set_add(set, piece->origin + from, piece->origin + to);
        return;
    }
    long begin = (from + size - 1) / size * size, end = to / size * size;
    long head = begin < to ? begin : to, tail = end > head ? end : head;
    take_bytes(piece, low, head - from, set);
    for (long element = 0; element < piece->stride; element += size)
        take_lines(piece, element, begin, end, set);
    take_bytes(piece, piece->low + tail, to - tail, set);
    orrery_set_settle(set);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static const struct orrery_piece *piece_at(const struct orrery_places *places, long place) {
    long low = 0, high = places->count;
    while (high - low > 1) {
        long middle = (low + high) / 2;
        if (places->items[middle].origin <= place)
            low = middle;
        else
            high = middle;
    }
    return &places->items[low];
}

/* Where the place is on this rank, and how many places from it on lie side by side there. */
static char *address_of(const struct orrery_piece *piece, long place, long *bytes) {
    long at = place - piece->origin;
    *bytes = piece->high - piece->low - at;
    if (!piece->stride)
        return piece->here + at;
    long number = at / piece->element, in_element = at % piece->element;
    *bytes = piece->element - in_element;
    return piece->here + number % columns_of(piece) * piece->stride +
           number / columns_of(piece) * piece->element + in_element;
}

static void move(const struct orrery_piece *piece, long place, char *buffer, long bytes,
                 bool pack) {
    for (long done = 0, n; done < bytes; done += n) {
        char *at = address_of(piece, place + done, &n);
        n = n < bytes - done ? n : bytes - done;
        memcpy(pack ? buffer + done : at, pack ? at : buffer + done, (size_t)n);
    }
}

size_t orrery_places_move(struct orrery_place_walk *walk, char *buffer, size_t bytes, bool pack) {
    size_t moved = 0;
    while (walk->item < walk->set->count && moved < bytes) {
        const struct orrery_interval *item = &walk->set->items[walk->item];
        long left = item->high - item->low - walk->done;
        long n = left < (long)(bytes - moved) ? left : (long)(bytes - moved);
        move(piece_at(walk->places, item->low), item->low + walk->done, buffer + moved, n, pack);
        moved += (size_t)n;
        walk->done += n;
        if (walk->done == item->high - item->low) {
            ++walk->item;
            walk->done = 0;
        }
    }
    return moved;
}

/* [low, high) of a piece on this rank; `bytes` of it are in the set. */
struct near {
    const struct orrery_piece *piece;
    char *low, *high;
    long bytes;
};

static bool near_join(struct near *near, const struct near *more, long gap) {
    if (near->piece != more->piece || more->low > near->high + gap || more->high + gap < near->low)
        return false;
    near->low = more->low < near->low ? more->low : near->low;
    near->high = more->high > near->high ? more->high : near->high;
    near->bytes += more->bytes;
    return true;
}

void orrery_places_each(const struct orrery_places *places, const struct orrery_set *set, long gap,
                        bool pieces, void (*each)(void *data, char *low, size_t bytes, bool whole),
                        void *data) {
    struct near near = {0};
    for (long i = 0; i < set->count; ++i) {
        const struct orrery_interval *item = &set->items[i];
        const struct orrery_piece *piece = piece_at(places, item->low);
        for (long at = item->low, bytes; at < item->high; at += bytes) {
            struct near more = {.piece = piece, .low = address_of(piece, at, &bytes)};
            bytes = bytes < item->high - at ? bytes : item->high - at;
            more.high = more.low + bytes;
            more.bytes = bytes;
            if (pieces && piece->stride)
                more =
                    (struct near){piece, piece->here, piece->here + (piece->high - piece->low), 0};
            if (near_join(&near, &more, gap))
                continue;
            if (near.piece)
                each(data, near.low, (size_t)(near.high - near.low),
                     near.bytes == near.high - near.low);
            near = more;
        }
    }
    if (near.piece)
        each(data, near.low, (size_t)(near.high - near.low), near.bytes == near.high - near.low);
}

/* Stretches that are near each other at once:
 * calls of the system cost more than pages that nobody touches. */
void orrery_places_commit(const struct orrery_places *places, const struct orrery_set *set) {
    char *low = NULL, *high = NULL;
    for (long i = 0; i < set->count; ++i) {
        const struct orrery_piece *piece = piece_at(places, set->items[i].low);
        long bytes, length = set->items[i].high - set->items[i].low;
        if (piece->apart)
            continue;
        char *from = piece->stride ? piece->here : address_of(piece, set->items[i].low, &bytes);
        char *to = piece->stride ? piece->here + (piece->high - piece->low) : from + length;
        if (low && from >= low && from <= high + NEAR) {
            high = to > high ? to : high;
            continue;
        }
        if (low)
            dsm_commit(low, (size_t)(high - low));
        low = from;
        high = to;
    }
    if (low)
        dsm_commit(low, (size_t)(high - low));
}
