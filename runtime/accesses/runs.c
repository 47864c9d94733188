/* Applies what is known of a column (rules.h) to its accesses. */
#include "runtime/accesses/rules.h"

/* A window from where it begins in a round on. */
struct place {
    uint64_t bits, low, length, step;
};

static inline __attribute__((always_inline)) struct place place_of(const struct window *window,
                                                                   uint64_t now) {
    return (struct place){window->bits, window->low + (now & window->moving), window->length,
                          window->moving & 1};
}

static inline __attribute__((always_inline)) bool is_at(const struct place *place, uint64_t stamp) {
    return (stamp & place->bits) - place->low < place->length;
}

/* Only the time counts. */
static inline __attribute__((always_inline)) bool is_time_at(const struct place *place,
                                                             uint64_t stamp) {
    return time_of(stamp) - (uint32_t)place->low < (uint32_t)place->length;
}

/* Of a step's access in a round. */
static inline uint64_t stamp_in(const struct follow_step *step, int round, bool half) {
    uint64_t now = follow.start + (uint32_t)round;
    return (uint64_t)step->site << 32 | now | (half ? IS_HALF : 0);
}

/* The round in which a column leaves the memory of which the rule speaks. */
static int rounds_within(const struct column *column, int round) {
    const struct rule *rule = &column->rule;
    uintptr_t at = address_of(column->step, round);
    uintptr_t last = address_of(column->step, column->count - 1);
    if (at - rule->low < rule->size && last - rule->low < rule->size)
        return column->count;
    while (round < column->count && address_of(column->step, round) - rule->low < rule->size)
        ++round;
    return round;
}

static bool is_moving(const struct rule *rule) {
    return rule->windows[READ].moving | rule->windows[BEFORE].moving |
           rule->windows[WRITTEN].moving;
}

/* ---- two by two ------------------------------------------------------------------------------ */

/* What is in the order of a cell, for a pair of cells. */
static inline void spread(__m128i out[3], const uint64_t cell[3]) {
    out[0] = _mm_set_epi64x((long long)cell[1], (long long)cell[0]);
    out[1] = _mm_set_epi64x((long long)cell[0], (long long)cell[2]);
    out[2] = _mm_set_epi64x((long long)cell[2], (long long)cell[1]);
}

/* A site above a time, both as SSE2 compares them. */
static uint64_t shifted(uint32_t site, uint32_t time) {
    return (uint64_t)(site ^ 0x80000000) << 32 | (time ^ 0x80000000);
}

/* The windows of a rule for pairs of cells, at the time 0. A stamp's site may be any where only its
 * time counts; that of a half word has a mark. */
static __attribute__((noinline)) void bound_pairs(struct rule *rule, size_t size) {
    static const int stamps[] = {WRITTEN, READ, BEFORE};
    uint64_t low[3], last[3], moves[3];
    for (int i = 0; i < 3; ++i) {
        const struct window *window = &rule->windows[stamps[i]];
        const uint32_t half = i == 0 && size == HALF ? IS_HALF >> 32 : 0;
        const bool any = window->bits == UINT32_MAX;
        const uint32_t site = any ? 0 : (uint32_t)((window->low + window->moving) >> 32);
        low[i] = shifted(half | site, (uint32_t)window->low);
        last[i] = shifted(any ? INT32_MAX - 1 : 0, (uint32_t)window->length - 1);
        moves[i] = window->moving;
    }
    spread(rule->bounds.low, low);
    spread(rule->bounds.last, last);
    spread(rule->bounds.moves, moves);
    rule->bounded = true;
}

/* The same from a time on, that of the second cell coming `apart` later. */
static inline __attribute__((always_inline)) void
bounds_at(__m128i low[3], const struct bounds *bounds, uint32_t now, uint32_t apart) {
    const long long first = now, second = now + apart;
    const __m128i times[] = {_mm_set1_epi64x(first), _mm_set_epi64x(second, first),
                             _mm_set1_epi64x(second)};
    for (int i = 0; i < 3; ++i)
        low[i] = _mm_add_epi32(bounds->low[i], _mm_and_si128(bounds->moves[i], times[i]));
}

static inline __attribute__((always_inline)) bool fits(const __m128i low[3], const __m128i last[3],
                                                       const __m128i pair[3]) {
    __m128i out[3];
    for (int i = 0; i < 3; ++i)
        out[i] = _mm_cmpgt_epi32(_mm_sub_epi32(pair[i], low[i]), last[i]);
    return _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(out[0], out[1]), out[2])) == 0;
}

static inline __attribute__((always_inline)) void load_pair(__m128i pair[3],
                                                            const struct cell *cells) {
    for (int i = 0; i < 3; ++i)
        pair[i] = _mm_loadu_si128((const __m128i *)cells + i);
}

static inline __attribute__((always_inline)) __m128i halves(__m128i lower, __m128i upper) {
    return _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(lower), _mm_castsi128_pd(upper), 2));
}

/* Does what the rule says; `stamps`: those of the two accesses. */
static inline __attribute__((always_inline)) void
store_pair(struct cell *cells, const __m128i pair[3], __m128i stamps, enum action action) {
    const __m128i zero = _mm_setzero_si128();
    __m128i *out = (__m128i *)cells;
    if (action == WRITE) {
        _mm_storeu_si128(out, _mm_move_epi64(stamps));
        _mm_storeu_si128(out + 1, halves(zero, stamps));
        _mm_storeu_si128(out + 2, zero);
        return;
    }
    _mm_storeu_si128(out, _mm_unpacklo_epi64(pair[0], stamps));
    if (action == SHIFT)
        _mm_storeu_si128(out + 1, _mm_unpackhi_epi64(pair[0], pair[1]));
    __m128i last = action == SHIFT ? _mm_unpacklo_epi64(pair[2], pair[2]) : pair[2];
    _mm_storeu_si128(out + 2, _mm_unpackhi_epi64(stamps, last));
}

/* The pairs of cells of one plane or two, from the cells of the first two rounds on, as far as the
 * rule speaks of them. Returns how many rounds that are. */
static inline __attribute__((always_inline)) int run_planes(const struct bounds *bounds,
                                                            struct cell *const cells[2], int rounds,
                                                            uint64_t stamp, size_t size,
                                                            enum action action, bool moving) {
    const int nplanes = size == HALF ? 2 : 1;
    const __m128i apart = _mm_set1_epi64x(2LL * nplanes);
    const __m128i last[3] = {bounds->last[0], bounds->last[1], bounds->last[2]};
    const __m128i step[3] = {_mm_and_si128(bounds->moves[0], apart),
                             _mm_and_si128(bounds->moves[1], apart),
                             _mm_and_si128(bounds->moves[2], apart)};
    __m128i lows[2][3], stamps[2];
    for (int i = 0; i < nplanes; ++i) {
        uint64_t first = stamp + (uint64_t)i;
        bounds_at(lows[i], bounds, time_of(first), (uint32_t)nplanes);
        stamps[i] = _mm_set_epi64x((long long)first + nplanes, (long long)first);
    }
    int done = 0;
    for (int at = 0; done + 2 * nplanes <= rounds; done += 2 * nplanes, at += 2) {
        __m128i pairs[2][3];
        bool fit = true;
        for (int i = 0; i < nplanes; ++i) {
            load_pair(pairs[i], cells[i] + at);
            fit = fit && fits(lows[i], last, pairs[i]);
        }
        if (!fit)
            break;
        for (int i = 0; i < nplanes; ++i) {
            __builtin_prefetch((const char *)(cells[i] + at) + AHEAD, 1);
            store_pair(cells[i] + at, pairs[i], stamps[i], action);
            stamps[i] = _mm_add_epi64(stamps[i], apart);
            for (int k = 0; moving && k < 3; ++k)
                lows[i][k] = _mm_add_epi32(lows[i][k], step[k]);
        }
    }
    return done;
}

/* The rounds from `round` on, two cells at a time. Returns the first that is not done. */
static inline __attribute__((always_inline)) int run_pairs(struct column *column, int round,
                                                           int end, size_t size, bool write) {
    enum { FEW = 8 };
    struct rule *rule = &column->rule;
    if (column->step->stride != (intptr_t)size || end - round < FEW || rule->action == LEAVE)
        return round;
    const uintptr_t at = address_of(column->step, round);
    struct cell *const cells[2] = {cell_for(at, size), cell_for(at + size, size)};
    const uint64_t stamp = stamp_in(column->step, round, write && size == HALF);
    const struct bounds *bounds = &rule->bounds;
    if (!rule->bounded)
        bound_pairs(rule, size);
    const int rounds = end - round;
    const bool moving = is_moving(rule), shift = rule->action == SHIFT;
    int done = write    ? run_planes(bounds, cells, rounds, stamp, size, WRITE, true)
               : moving ? run_planes(bounds, cells, rounds, stamp, size, rule->action, true)
               : shift  ? run_planes(bounds, cells, rounds, stamp, size, SHIFT, false)
                        : run_planes(bounds, cells, rounds, stamp, size, STAMP, false);
    column->rule.count += (uint64_t)done;
    return round + done;
}

/* ---- one by one ------------------------------------------------------------------------------ */

/* The rounds from `round` on of which the rule speaks. Returns the first of which it does not.
 * Every other cell lies in the same plane. */
static inline __attribute__((always_inline)) int run(struct column *column, int round, int end,
                                                     size_t size, bool write, bool moving) {
    const struct rule *rule = &column->rule;
    const struct follow_step *step = column->step;
    const bool leave = rule->action == LEAVE, shift = rule->action == SHIFT;
    const int from = round;
    const uintptr_t at = address_of(step, round), apart = 6 * (uintptr_t)step->stride;
    uintptr_t here = (uintptr_t)cell_for(at, size);
    uintptr_t there = (uintptr_t)cell_for(at + (uintptr_t)step->stride, size);
    uint64_t now = follow.start + (uint32_t)round;
    uint64_t stamp = stamp_in(step, round, write && size == HALF);
    struct place read = place_of(&rule->windows[READ], now);
    struct place before = place_of(&rule->windows[BEFORE], now);
    struct place written = place_of(&rule->windows[WRITTEN], now);
    for (; round < end; ++round) {
        struct cell *cell = (struct cell *)here;
        if (!has_use(cell, size) || !is_at(&written, cell->written))
            break;
        if (write ? !is_at(&read, cell->read) || !is_at(&before, cell->before)
                  : !is_time_at(&read, cell->read) || !is_time_at(&before, cell->before))
            break;
        if (write) {
            *cell = (struct cell){.written = stamp};
        } else if (!leave) {
            if (shift)
                cell->before = cell->read;
            cell->read = stamp;
        }
        here = there;
        there = (uintptr_t)cell + apart;
        ++stamp;
        if (moving) {
            read.low += read.step;
            before.low += before.step;
            written.low += written.step;
        }
    }
    column->rule.count += (uint64_t)(round - from);
    return round;
}

/* Two by two where that goes, else some one by one. */
static inline __attribute__((always_inline)) int run_all(struct column *column, int round,
                                                         size_t size, bool write) {
    enum { SOME = 32 };
    const int end = rounds_within(column, round);
    while (round < end) {
        round = run_pairs(column, round, end, size, write);
        if (round == end)
            break;
        const int until = end - round > SOME ? round + SOME : end;
        round = is_moving(&column->rule) ? run(column, round, until, size, write, true)
                                         : run(column, round, until, size, write, false);
        if (round < until)
            break;
    }
    return round;
}

#define RUN(name, size, write)                                                                     \
    static int run_##name(struct column *column, int round) {                                      \
        return run_all(column, round, size, write);                                                \
    }

RUN(word_read, WORD, false)
RUN(word_written, WORD, true)
RUN(half_read, HALF, false)
RUN(half_written, HALF, true)

void column_run(struct column *column) {
    const struct follow_step *step = column->step;
    int (*runs)(struct column *, int) = step->size == WORD
                                            ? (step->write ? run_word_written : run_word_read)
                                            : (step->write ? run_half_written : run_half_read);
    column->rule.known = rule_is_valid(&column->rule, step);
    column->rule.count = 0;
    column->rule.misses = 0;
    for (int round = 0; round < column->count; ++round) {
        if (column->rule.known)
            round = runs(column, round);
        if (round < column->count)
            rule_note(column, round);
    }
    rule_settle(&column->rule);
}
