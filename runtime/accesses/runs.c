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

/* ---- cells in a row -------------------------------------------------------------------------- */

/*
 * The stamps of cells that lie one behind the other mostly grow from cell to cell as they do from
 * the first to the second, since a loop has stamped them all. If the rule speaks of the first and of
 * the last such cell, it speaks of all between them: windows are intervals, and both move evenly.
 */
enum { FEW = 8, GROWTH = 1 << 16 };

/* Two cells of a plane. */
typedef uint64_t stamps __attribute__((vector_size(16), aligned(8), may_alias));
struct block {
    stamps a, b, c;
};

static inline __attribute__((always_inline)) struct block block_of(struct cell x, struct cell y) {
    return (struct block){{x.written, x.read}, {x.before, y.written}, {y.read, y.before}};
}

static inline __attribute__((always_inline)) struct cell plus(struct cell a, struct cell b) {
    return (struct cell){a.written + b.written, a.read + b.read, a.before + b.before};
}

static inline __attribute__((always_inline)) struct cell times(struct cell growth,
                                                               uint64_t rounds) {
    return (struct cell){growth.written * rounds, growth.read * rounds, growth.before * rounds};
}

static inline __attribute__((always_inline)) bool is_block(const stamps *at, struct block block) {
    stamps other = (at[0] ^ block.a) | (at[1] ^ block.b) | (at[2] ^ block.c);
    return (other[0] | other[1]) == 0;
}

static inline __attribute__((always_inline)) void put_block(stamps *at, struct block block) {
    at[0] = block.a;
    at[1] = block.b;
    at[2] = block.c;
}

static inline __attribute__((always_inline)) struct block sum(struct block x, struct block y) {
    return (struct block){x.a + y.a, x.b + y.b, x.c + y.c};
}

/* The cells of a column, as long as they grow evenly. */
struct row {
    struct cell first, growth;
};

/* The first block of each plane, and what comes to it from block to block. */
struct lane {
    struct block at[2], step;
};

static inline __attribute__((always_inline)) struct lane lane_of(const struct row *row,
                                                                 int nplanes) {
    const struct cell second = plus(row->first, row->growth),
                      twice = plus(row->growth, row->growth);
    if (nplanes == 1)
        return (struct lane){{block_of(row->first, second)}, block_of(twice, twice)};
    const struct cell step = plus(twice, twice);
    return (struct lane){
        {block_of(row->first, plus(row->first, twice)), block_of(second, plus(second, twice))},
        block_of(step, step)};
}

/* Changes cells as long as they are what is expected, a block of each plane at a time; `planes`: the
 * cells of the first two rounds. Returns how many rounds that were. */
static inline __attribute__((always_inline)) int change_cells(const struct row *old,
                                                              const struct row *now,
                                                              struct cell *const planes[2],
                                                              int nplanes, int rounds) {
    struct lane is = lane_of(old, nplanes), becomes = lane_of(now, nplanes);
    int done = 0;
    for (int at = 0; done + 2 * nplanes <= rounds; done += 2 * nplanes, at += 2) {
        stamps *first = (stamps *)(planes[0] + at), *second = (stamps *)(planes[1] + at);
        if (!is_block(first, is.at[0]) || (nplanes > 1 && !is_block(second, is.at[1])))
            break;
        put_block(first, becomes.at[0]);
        is.at[0] = sum(is.at[0], is.step);
        becomes.at[0] = sum(becomes.at[0], becomes.step);
        if (nplanes == 1)
            continue;
        put_block(second, becomes.at[1]);
        is.at[1] = sum(is.at[1], is.step);
        becomes.at[1] = sum(becomes.at[1], becomes.step);
    }
    return done;
}

/* Two stamps lie in a window, the other so many rounds later. Its moving does not count. */
static inline __attribute__((always_inline)) bool
are_in(const struct window *window, uint64_t now, uint64_t first, uint64_t last, uint64_t rounds) {
    const struct place place = place_of(window, now);
    return is_at(&place, first) && is_at(&place, last - place.step * rounds);
}

/* The rule speaks of the first cell of a row, and of the last, so many rounds later. The reads that
 * it knows by their times alone have windows of times. */
static inline bool speaks_of(const struct rule *rule, struct cell first, struct cell last,
                             uint64_t now, uint64_t rounds) {
    const struct window *windows = rule->windows;
    return are_in(&windows[WRITTEN], now, first.written, last.written, rounds) &&
           are_in(&windows[READ], now, first.read, last.read, rounds) &&
           are_in(&windows[BEFORE], now, first.before, last.before, rounds);
}

/* What the cells become by the rule; `stamp`: of the access to the first. */
static inline struct row row_by(const struct rule *rule, const struct row *old, uint64_t stamp) {
    struct row row = *old;
    if (rule->action == WRITE)
        return (struct row){{.written = stamp}, {.written = 1}};
    if (rule->action == LEAVE)
        return row;
    if (rule->action == SHIFT) {
        row.first.before = old->first.read;
        row.growth.before = old->growth.read;
    }
    row.first.read = stamp;
    row.growth.read = 1;
    return row;
}

/* No time has become a site. */
static inline bool same_sites(struct cell a, struct cell b) {
    return (((a.written ^ b.written) | (a.read ^ b.read) | (a.before ^ b.before)) >> 32) == 0;
}

/* The rounds from `round` on, as far as cells grow evenly. Returns the first that is not done. */
static inline __attribute__((always_inline)) int run_evenly(struct column *column, int round,
                                                            int end, size_t size, bool write) {
    const uintptr_t at = address_of(column->step, round);
    const uint64_t later = (uint64_t)(end - round) - 1;
    if (column->step->stride != (intptr_t)size || end - round < FEW)
        return round;
    struct cell *planes[2] = {cell_for(at, size), cell_for(at + size, size)};
    const struct cell first = *planes[0], next = *planes[1];
    const struct row old = {
        first, {next.written - first.written, next.read - first.read, next.before - first.before}};
    const struct cell last = plus(first, times(old.growth, later));
    const uint64_t stamp = stamp_in(column->step, round, write && size == HALF);
    if ((old.growth.written | old.growth.read | old.growth.before) >= GROWTH ||
        !has_use(&first, size) || !same_sites(first, last) ||
        !speaks_of(&column->rule, first, last, time_of(stamp), later))
        return round;
    const struct row now = row_by(&column->rule, &old, stamp);
    int done = change_cells(&old, &now, planes, size == HALF ? 2 : 1, end - round);
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

static bool is_moving(const struct rule *rule) {
    return rule->windows[READ].moving | rule->windows[BEFORE].moving |
           rule->windows[WRITTEN].moving;
}

/* By blocks where that goes, else some one by one. */
static inline __attribute__((always_inline)) int run_all(struct column *column, int round,
                                                         size_t size, bool write) {
    enum { SOME = 32 };
    const int end = rounds_within(column, round);
    while (round < end) {
        round = run_evenly(column, round, end, size, write);
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
