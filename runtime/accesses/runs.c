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

/* The rounds from `round` on of which the rule speaks. Returns the first of which it does not.
 * Every other cell lies in the same plane. */
static inline __attribute__((always_inline)) int run(struct column *column, int round, size_t size,
                                                     bool write, bool moving) {
    const struct rule *rule = &column->rule;
    const struct follow_step *step = column->step;
    const bool leave = rule->action == LEAVE, shift = rule->action == SHIFT;
    const int end = rounds_within(column, round), from = round;
    const uintptr_t at = address_of(step, round), apart = 6 * (uintptr_t)step->stride;
    uintptr_t here = (uintptr_t)cell_for(at, size);
    uintptr_t there = (uintptr_t)cell_for(at + (uintptr_t)step->stride, size);
    uint64_t now = follow.start + (uint32_t)round;
    uint64_t stamp = (uint64_t)step->site << 32 | now | (write && size == HALF ? IS_HALF : 0);
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

#define RUN(name, size, write)                                                                     \
    static int run_##name(struct column *column, int round) {                                      \
        return is_moving(&column->rule) ? run(column, round, size, write, true)                    \
                                        : run(column, round, size, write, false);                  \
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
    for (int round = 0; round < column->count; ++round) {
        if (column->rule.known)
            round = runs(column, round);
        if (round < column->count)
            rule_note(column, round);
    }
    rule_settle(&column->rule);
}
