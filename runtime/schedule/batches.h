#ifndef ORRERY_RUNTIME_SCHEDULE_BATCHES_H
#define ORRERY_RUNTIME_SCHEDULE_BATCHES_H
/* ---- batches: iterations without a common element, whatever their order ---------------------- */

/* The batches [base, base + 64) in which an element is written, or only read: a bit each. `times`:
 * iterations that write it. */
struct orrery_colored {
    unsigned long written, read;
    unsigned base, times;
};

/*
 * Items [first[i], first[i + 1]) are what iteration i touches: twice the number of the element, and
 * 1 where it is written. `batch`: by iteration, from 1.
 */
struct orrery_batching {
    long count;
    const long *first;
    const unsigned *items;
    unsigned *batch;
    unsigned most; /* iterations of a batch; 0: any number */
};

/* Stretches of iterations that are taken in turn: neighbours often touch the same elements. */
#define ORRERY_STRETCHES 64

/* Parts of the iterations that have batches of their own, so that several workers can find them: as
 * many as leave some dozen batches to each. `range`: the
 * elements between the first and the last. */
static inline long orrery_batches_parts(long touches, unsigned long range) {
    return range ? orrery_clamp((long)((unsigned long)touches / range / 16), 1, 8) : 1;
}

/* Batches before `base` are closed. */
static inline void orrery_colored_move(struct orrery_colored *one, unsigned base) {
    unsigned by = base - one->base;
    one->written = by < 64 ? one->written >> by : 0;
    one->read = by < 64 ? one->read >> by : 0;
    one->base = base;
}

/* Of the open batches those in which iteration i conflicts with another one. */
static inline unsigned long orrery_batches_met(const struct orrery_batching *b,
                                               struct orrery_colored *colored, long i,
                                               unsigned base) {
    unsigned long met = 0;
    for (long n = b->first[i]; n < b->first[i + 1]; ++n) {
        struct orrery_colored *one = &colored[b->items[n] >> 1];
        if (one->base != base)
            orrery_colored_move(one, base);
        met |= one->written | (b->items[n] & 1 ? one->read : 0);
    }
    return met;
}

static inline void orrery_batches_note(const struct orrery_batching *b,
                                       struct orrery_colored *colored, long i, unsigned base,
                                       int at) {
    unsigned long bit = 1ul << at;
    for (long n = b->first[i]; n < b->first[i + 1]; ++n) {
        struct orrery_colored *one = &colored[b->items[n] >> 1];
        if (one->base != base)
            orrery_colored_move(one, base);
        if (!(b->items[n] & 1)) {
            one->read |= bit;
        } else if (!(one->written & bit)) {
            one->written |= bit;
            ++one->times;
        }
    }
}

/*
 * Gives iterations [begin, end) the first of the open batches in which they meet nobody. 64 are
 * open; where that is not enough the first one is closed. `colored`: zeros, one per element. Returns
 * how many batches there are.
 */
static inline unsigned orrery_batches_find(const struct orrery_batching *b,
                                           struct orrery_colored *colored, long begin, long end) {
    long length = (end - begin + ORRERY_STRETCHES - 1) / ORRERY_STRETCHES;
    unsigned base = 0, most = 0, sizes[64] = {0};
    unsigned long full = 0;
    for (long step = 0; step < length; ++step)
        for (long i = begin + step; i < end; i += length) {
            unsigned long met = orrery_batches_met(b, colored, i, base) | full;
            int at = met == ~0ul ? 63 : __builtin_ctzl(~met);
            if (met == ~0ul) {
                sizes[base++ % 64] = 0;
                full >>= 1;
            }
            orrery_batches_note(b, colored, i, base, at);
            if (++sizes[(base + (unsigned)at) % 64] == b->most)
                full |= 1ul << at;
            b->batch[i] = base + (unsigned)at + 1;
            most = b->batch[i] > most ? b->batch[i] : most;
        }
    return most;
}

/* Every row waits for all others; those of the first batch for nobody. */
static inline unsigned long orrery_batches_needs(long rows, long row, long column) {
    unsigned long all = column == 0 ? 0 : rows < 64 ? (1ul << rows) - 1 : ~0ul;
    return rows > 64 ? all : all & ~(1ul << row);
}

#endif
