/* What is learned of an access for those that follow in its column. */
#include "runtime/accesses/rules.h"

void rule_settle(struct rule *rule) {
    watch.touches += rule->count;
    for (int i = 0; i < rule->nrecords && rule->count > 0; ++i) {
        *rule->counted[i] += rule->count;
        rule->records[i]->touch = watch.touches;
    }
    rule->count = 0;
}

/* An access of a cell of its own. */
static inline __attribute__((always_inline)) bool note_usual(const struct follow_step *step,
                                                             uintptr_t at, size_t size) {
    struct cell *cell = cell_for(at, size);
    if (!is_for(cell, at, size) || !shadow_holds(at))
        return false;
    if (step->write)
        shadow_write_cell(cell, at, step->site, size == HALF ? IS_HALF : 0);
    else
        shadow_read_cell(cell, at, step->site);
    return true;
}

void column_note_access(const struct follow_step *step, int round) {
    uintptr_t at = address_of(step, round);
    set_round(round);
    ++watch.touches;
    bool noted = step->size == WORD   ? note_usual(step, at, WORD)
                 : step->size == HALF ? note_usual(step, at, HALF)
                                      : false;
    if (!noted)
        shadow_touch(at, step->size, step->site, step->write);
}
/* ---- rules ----------------------------------------------------------------------------------- */

static struct window times(uint32_t low, uint32_t length) {
    return (struct window){.low = low, .length = length, .bits = UINT32_MAX};
}

/* `low` is a distance from now, backwards. */
static struct window recent(uint32_t low, uint32_t length) {
    return (struct window){
        .low = -(uint64_t)low, .length = length, .bits = UINT32_MAX, .moving = UINT32_MAX};
}

/* All times that are in the same place of the nest as this one. Sets the level that carries it. */
static struct window window_of(struct rule *rule, uint32_t time,
                               const struct watch_span **transfer) {
    const struct watch_span *span = watch.span;
    *transfer = NULL;
    if (time == watch.now)
        return recent(0, 1);
    if (time < watch.first)
        return times(0, watch.first);
    if (time >= span->begin) {
        *transfer = span;
        rule->lasting = false;
        return recent(watch.now - span->begin, watch.now - span->begin);
    }
    while (time < span->begin)
        --span;
    if (time >= span->iteration) {
        rule->lasting = false;
        return times(span->iteration, (span + 1)->begin - span->iteration);
    }
    *transfer = span;
    return times(span->begin, span->iteration - span->begin);
}

static void narrow(struct rule *rule, const struct conflict_hit *hit) {
    uintptr_t low = rule->low > hit->low ? rule->low : hit->low;
    uintptr_t end = rule->low + rule->size, other = hit->low + hit->size;
    rule->low = low;
    rule->size = (end < other ? end : other) - low;
}

/* The times at which the same conflict is met again; false: that is not known. */
static bool window_of_hit(const struct conflict_hit *hit, const struct watch_span *transfer,
                          uint32_t time, struct window *out) {
    bool inner = transfer == watch.span;
    uint32_t low = hit->time, length = hit->length;
    if (hit->just) {
        low = transfer->previous;
        length = transfer->iteration - low;
    } else if (inner || hit->iteration != transfer->iteration) {
        return false;
    }
    if (time - low >= length || (inner && length != 1))
        return false;
    *out = inner ? recent(1, 1) : times(low, length);
    return true;
}

/* The conflict of an earlier access with one of this rule is counted. */
static bool add_conflict(struct rule *rule, enum conflict_kind kind, uintptr_t at, uint64_t earlier,
                         const struct follow_step *step, const struct watch_span *transfer,
                         struct window *window, bool *own) {
    uint32_t source = source_of(earlier);
    const struct conflict_hit *hit = conflict_hit_of(kind, source, step->site);
    if (hit->source != source || hit->sink != step->site || hit->span != transfer || !hit->record ||
        hit->serial != transfer->serial || at - hit->low >= hit->size ||
        !window_of_hit(hit, transfer, time_of(earlier), window))
        return false;
    rule->lasting = false;
    window->low += (uint64_t)source << 32;
    window->bits = ~IS_HALF;
    narrow(rule, hit);
    *own = hit->own;
    for (int i = 0; i < rule->nrecords; ++i)
        if (rule->records[i] == hit->record)
            return rule->counted[i] == hit->record->counted;
    rule->records[rule->nrecords] = hit->record;
    rule->counted[rule->nrecords++] = hit->record->counted;
    return true;
}

/* Whether a write in `written` is of the iteration that begins `window` or later, for all of both;
 * false: for none. Returns false where that differs. */
static bool is_not_before(const struct window *written, const struct window *window, bool *result) {
    int64_t low = (int32_t)written->low, end = low + (int64_t)written->length;
    int64_t start = (int32_t)window->low;
    if (written->moving != window->moving) {
        *result = written->moving;
        return true;
    }
    if (!written->moving) {
        low = (uint32_t)low;
        end = low + (int64_t)written->length;
        start = (uint32_t)start;
    }
    *result = low >= start;
    return low >= start || end <= start;
}

static bool learn_read(struct rule *rule, uintptr_t at, const struct cell *cell,
                       const struct follow_step *step) {
    const struct watch_span *read, *before, *written;
    bool own;
    uint32_t time = time_of(cell->read);
    rule->windows[READ] = window_of(rule, time, &read);
    rule->windows[BEFORE] = window_of(rule, time_of(cell->before), &before);
    rule->windows[WRITTEN] = window_of(rule, time_of(cell->written), &written);
    rule->action = STAMP;
    if (time == watch.now) {
        rule->action = LEAVE;
    } else if (read) {
        rule->action = before && before < read ? STAMP : SHIFT;
        return time_of(cell->written) < read->begin;
    } else if (time == 0 && written) {
        rule->windows[READ] = times(0, 1);
        return add_conflict(rule, CONFLICT_FLOW, at, cell->written, step, written,
                            &rule->windows[WRITTEN], &own);
    }
    return true;
}

static bool learn_anti(struct rule *rule, int which, uintptr_t at, uint64_t earlier,
                       const struct follow_step *step) {
    const struct watch_span *transfer;
    bool own = false, after = false;
    struct window *window = &rule->windows[which];
    *window = window_of(rule, time_of(earlier), &transfer);
    if (!transfer)
        return true;
    return add_conflict(rule, CONFLICT_ANTI, at, earlier, step, transfer, window, &own) &&
           is_not_before(&rule->windows[WRITTEN], window, &after) && after == own;
}

static bool learn_write(struct rule *rule, uintptr_t at, const struct cell *cell,
                        const struct follow_step *step) {
    const struct watch_span *written;
    bool own;
    rule->action = WRITE;
    rule->windows[WRITTEN] = window_of(rule, time_of(cell->written), &written);
    if (written && !add_conflict(rule, CONFLICT_OUTPUT, at, cell->written, step, written,
                                 &rule->windows[WRITTEN], &own))
        return false;
    return learn_anti(rule, READ, at, cell->read, step) &&
           learn_anti(rule, BEFORE, at, cell->before, step);
}

/* From what was done with a cell that was as `old` before. */
static void learn(struct column *column, uintptr_t at, const struct cell *old) {
    struct rule *rule = &column->rule;
    rule->bounded = false;
    rule->nrecords = 0;
    rule->low = 0;
    rule->size = UINTPTR_MAX;
    rule->step = column->step;
    rule->site = column->step->site;
    rule->instance = follow.span->begin;
    rule->lasting = follow.span > watch.spans;
    rule->around = rule->lasting ? (follow.span - 1)->begin : 0;
    rule->known = column->step->write ? learn_write(rule, at, old, column->step)
                                      : learn_read(rule, at, old, column->step);
}

bool rule_is_valid(const struct rule *rule, const struct follow_step *step) {
    bool same = rule->instance == follow.span->begin;
    bool lasts =
        rule->lasting && follow.span > watch.spans && rule->around == (follow.span - 1)->begin;
    return rule->known && rule->step == step && rule->site == step->site && (same || lasts) &&
           (rule->action == WRITE) == step->write;
}

void rule_note(struct column *column, int round) {
    enum { PATIENCE = 8 };
    struct rule *rule = &column->rule;
    uintptr_t at = address_of(column->step, round);
    struct cell *cell = cell_for(at, column->step->size);
    const struct cell old = *cell;
    bool usual = is_for(cell, at, column->step->size);
    rule->misses = rule->count > 1 ? 0 : rule->misses + 1;
    rule_settle(rule);
    column_note_access(column->step, round);
    rule->known = false;
    if (usual && (rule->misses < PATIENCE || rule->misses % PATIENCE == 0))
        learn(column, at, &old);
}
