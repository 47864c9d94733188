/*
 * Notes what was followed (follow.h): the same accesses, in the same state of the loop. What no
 * other step can meet is noted step by step, a column of accesses that lie in equal strides. Of one
 * access of a column mostly the same is to be done as of the one before: a rule says when.
 */
#include "runtime/accesses/follow.h"
#include "runtime/accesses/shadow.h"

/* Stamps from `low` on, as many as `length`; both count from the current time where `moving`. */
struct window {
    uint64_t low, length;
    uint64_t bits;   /* those of a stamp that count: all, or its time */
    uint64_t moving; /* those of the current time that are added to `low` */
};

enum { READ, BEFORE, WRITTEN, STAMPS };
enum action { LEAVE, STAMP, SHIFT, WRITE };

/*
 * What is done with a cell whose stamps lie in these windows. It holds in the instance of the loop
 * that began at `instance`; where it is `lasting`, as long as the loop around that one goes on,
 * which began at `around`.
 */
struct rule {
    bool known, lasting;
    uint32_t instance, around;
    const struct follow_step *step;
    uint32_t site;
    enum action action;
    struct window windows[STAMPS];
    uintptr_t low, size; /* where the access lies */
    int nrecords;
    struct conflict *records[STAMPS]; /* the conflicts that it counts, */
    uint64_t *counted[STAMPS];        /* and where */
    uint64_t count;                   /* accesses that have been done so, and are not counted yet */
    int misses;                       /* in a row */
};

/* A step's accesses: `count` of them, all of them in [low, high]. */
struct column {
    const struct follow_step *step;
    int count;
    bool usual; /* words or halves, at their places, in memory that is watched */
    uintptr_t low, high;
    struct rule rule;
};

static struct column columns[FOLLOW_STEPS];

/* ---- one access ------------------------------------------------------------------------------ */

static uintptr_t address_of(const struct follow_step *step, int round) {
    return step->listed ? step->list[round]
                        : step->first + (uintptr_t)step->stride * (uintptr_t)round;
}

/* The loop is in this round again. */
static inline void set_round(int round) {
    uint32_t now = follow.start + (uint32_t)round;
    watch.now = follow.span->iteration = now;
    watch.past = now - watch.first;
    follow.span->previous = round > 0 ? now - 1 : follow.previous;
    follow.level->count = follow.count + (uint64_t)round;
}

static void settle_rule(struct rule *rule) {
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

static void note_access(const struct follow_step *step, int round) {
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

/* What was learned holds still. */
static bool is_valid(const struct rule *rule, const struct follow_step *step) {
    bool same = rule->instance == follow.span->begin;
    bool lasts =
        rule->lasting && follow.span > watch.spans && rule->around == (follow.span - 1)->begin;
    return rule->known && rule->step == step && rule->site == step->site && (same || lasts) &&
           (rule->action == WRITE) == step->write;
}

/* A rule is learned where the last one was of use, or now and then. */
static __attribute__((noinline)) void note_new(struct column *column, int round) {
    enum { PATIENCE = 8 };
    struct rule *rule = &column->rule;
    uintptr_t at = address_of(column->step, round);
    struct cell *cell = cell_for(at, column->step->size);
    const struct cell old = *cell;
    bool usual = is_for(cell, at, column->step->size);
    rule->misses = rule->count > 1 ? 0 : rule->misses + 1;
    settle_rule(rule);
    note_access(column->step, round);
    rule->known = false;
    if (usual && (rule->misses < PATIENCE || rule->misses % PATIENCE == 0))
        learn(column, at, &old);
}

/* ---- columns --------------------------------------------------------------------------------- */

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

static void note_strided(struct column *column) {
    const struct follow_step *step = column->step;
    int (*runs)(struct column *, int) = step->size == WORD
                                            ? (step->write ? run_word_written : run_word_read)
                                            : (step->write ? run_half_written : run_half_read);
    for (int round = 0; round < column->count; ++round) {
        if (column->rule.known)
            round = runs(column, round);
        if (round < column->count)
            note_new(column, round);
    }
    settle_rule(&column->rule);
}

static bool has_stride(const struct column *column) {
    return column->usual && !column->step->listed && column->step->stride != 0;
}

/* A read of a list, where nothing is met. Returns false where more is to be done. */
static inline __attribute__((always_inline)) bool read_quietly(struct cell *cell, uint64_t stamp) {
    const struct watch_span *span = follow.span;
    uint32_t now = time_of(stamp), read = time_of(cell->read), before = time_of(cell->before);
    if (read < watch.first || read >= now)
        return false;
    while (read < span->begin)
        --span;
    if (span != follow.span && read >= span->iteration)
        return false;
    if (time_of(cell->written) >= span->begin)
        return false;
    if (before >= span->begin || before < watch.first)
        cell->before = cell->read;
    else if (!transfer_from(span - 1, before))
        return false;
    cell->read = stamp;
    return true;
}

/* Reads without stride. */
static void note_list(struct column *column) {
    const struct follow_step *step = column->step;
    uint64_t stamp = (uint64_t)step->site << 32 | follow.start;
    uint64_t quiet = 0;
    for (int i = 0; i < column->count; ++i, ++stamp) {
        uintptr_t at = step->list[i];
        struct cell *cell = cell_of_word(at);
        if (is_for(cell, at, WORD) && read_quietly(cell, stamp))
            ++quiet;
        else
            note_access(step, i);
    }
    watch.touches += quiet;
}

static void note_column(struct column *column) {
    const struct follow_step *step = column->step;
    if (has_stride(column))
        note_strided(column);
    else if (step->listed && !step->write && step->size == WORD && shadow_holds(column->low) &&
             shadow_holds(column->high) && (column->low ^ column->high) >> SHADOW_BITS == 0)
        note_list(column);
    else
        for (int i = 0; i < column->count; ++i)
            note_access(column->step, i);
}

/* Columns that may meet: access by access, as they came. */
static void note_group(struct column *const *group, int size, int from) {
    for (int round = from; round <= follow.rounds; ++round)
        for (int i = 0; i < size; ++i)
            if (round < group[i]->count)
                note_access(group[i]->step, round);
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* Columns of one size and stride: of two that meet in a cell always the same one comes first. */
static bool are_lanes(struct column *const *group, int size) {
    for (int i = 0; i < size; ++i)
        if (!has_stride(group[i]) || group[i]->step->stride != group[0]->step->stride ||
            group[i]->step->size != group[0]->step->size)
            return false;
    return true;
}

static bool is_ahead(const struct column *a, const struct column *b) {
    return a->step->stride > 0 ? a->step->first > b->step->first : a->step->first < b->step->first;
}

/* Every cell has been read by `last` in the same iteration, and not written since: only the touches
 * of `column` count. `last` comes right before it in every cell. */
static bool reads_again(const struct column *column, const struct column *last) {
    return !column->step->write && !last->step->write && column->step->first == last->step->first;
}

/* What comes first in every cell is noted first. */
static void note_lanes(struct column *const *group, int size) {
    struct column *lanes[FOLLOW_STEPS];
    for (int i = 0; i < size; ++i) {
        int at = i;
        for (; at > 0 && is_ahead(group[i], lanes[at - 1]); --at)
            lanes[at] = lanes[at - 1];
        lanes[at] = group[i];
    }
    for (int i = 0; i < size; ++i)
        if (i > 0 && reads_again(lanes[i], lanes[i - 1]))
            watch.touches += (uint64_t)lanes[i]->count;
        else
            note_strided(lanes[i]);
}

/* ---- one place ------------------------------------------------------------------------------- */

/* All columns are one cell. */
static bool is_still(struct column *const *group, int size) {
    for (int i = 0; i < size; ++i) {
        const struct follow_step *step = group[i]->step;
        if (!group[i]->usual || step->stride != 0 || step->first != group[0]->step->first ||
            step->size != group[0]->step->size)
            return false;
    }
    return is_for(cell_for(group[0]->step->first, group[0]->step->size), group[0]->step->first,
                  group[0]->step->size);
}

/* One round has passed, and everything else is as it was. */
static bool is_next(uint64_t stamp, uint64_t old) {
    uint32_t time = time_of(stamp);
    return time >= follow.start ? stamp - old == 1 : stamp == old && time < follow.span->begin;
}

static uint64_t later(uint64_t stamp, uint64_t rounds) {
    return time_of(stamp) >= follow.start ? stamp + rounds : stamp;
}

static void note_round(struct column *const *group, int size, int round) {
    for (int i = 0; i < size; ++i)
        if (round < group[i]->count)
            note_access(group[i]->step, round);
}

/* Once a round changes nothing but times, all others do the same. Returns the next round. */
static int note_still(struct column *const *group, int size) {
    enum { TRIES = 4 };
    const int rounds = group[size - 1]->count;
    struct cell *cell = cell_for(group[0]->step->first, group[0]->step->size);
    const struct watch_loop *loop = follow.level->loop;
    int round = 0;
    for (; round < TRIES && round < rounds; ++round) {
        const struct cell old = *cell;
        uint64_t dropped = loop->dropped, left = (uint64_t)(rounds - round - 1);
        conflict_journal.count = 0;
        conflict_journal.on = true;
        note_round(group, size, round);
        conflict_journal.on = false;
        if (round == 0 || dropped != loop->dropped || conflict_journal.count > 8 ||
            !is_next(cell->read, old.read) || !is_next(cell->before, old.before) ||
            !is_next(cell->written, old.written))
            continue;
        for (int i = 0; i < conflict_journal.count; ++i)
            *conflict_journal.counted[i] += left;
        watch.touches += left * (uint64_t)size;
        *cell = (struct cell){later(cell->written, left), later(cell->read, left),
                              later(cell->before, left)};
        return rounds;
    }
    return round;
}

/* ---- which may meet -------------------------------------------------------------------------- */

/* The lowest and the highest address of a list. */
static void bound_list(const struct column *column, uintptr_t *low, uintptr_t *high) {
    const uintptr_t *list = column->step->list;
    *low = *high = list[0];
    for (int i = 1; i < column->count; ++i) {
        *low = list[i] < *low ? list[i] : *low;
        *high = list[i] > *high ? list[i] : *high;
    }
}

static void bound(struct column *column) {
    const struct follow_step *step = column->step;
    uintptr_t low = step->first, high;
    uintptr_t off = (step->first | (uintptr_t)step->stride) & (step->size - 1);
    high = low + (uintptr_t)step->stride * (uintptr_t)(column->count - 1);
    if (step->listed)
        bound_list(column, &low, &high);
    column->low = (low < high ? low : high) & ~(uintptr_t)(WORD - 1);
    column->high = ((low < high ? high : low) + step->size - 1) | (WORD - 1);
    column->usual = (step->size == WORD || step->size == HALF) && !step->listed && off == 0 &&
                    shadow_holds(column->low) && shadow_holds(column->high);
    column->rule.known = is_valid(&column->rule, step);
    column->rule.count = 0;
    column->rule.misses = 0;
}

/* Those that have accesses, by their lowest address. Returns how many. */
static int sort(struct column **sorted, int done) {
    int n = 0;
    for (int i = 0; i < follow.nsteps; ++i) {
        struct column *column = &columns[i];
        column->step = &follow.steps[i];
        column->count = follow.rounds + (i < done);
        if (column->count == 0)
            continue;
        bound(column);
        int at = n++;
        for (; at > 0 && sorted[at - 1]->low > column->low; --at)
            sorted[at] = sorted[at - 1];
        sorted[at] = column;
    }
    return n;
}

static bool are_twins(const struct follow_step *a, const struct follow_step *b) {
    return a->site == b->site && a->write == b->write;
}

/* Whether steps of one place and kind, which share their conflicts, are in different groups:
 * those behind `from` and those in front of it. */
static bool has_twins(struct column *const *sorted, int n, int from) {
    for (int i = 0; follow.twins && i < from; ++i)
        for (int j = from; j < n; ++j)
            if (are_twins(sorted[i]->step, sorted[j]->step))
                return true;
    return false;
}

/* In the order of the steps. */
static void note_together(struct column **group, int size) {
    for (int i = 1; i < size; ++i) {
        struct column *column = group[i];
        int at = i;
        for (; at > 0 && group[at - 1] > column; --at)
            group[at] = group[at - 1];
        group[at] = column;
    }
    if (is_still(group, size))
        note_group(group, size, note_still(group, size));
    else if (size == 1)
        note_column(group[0]);
    else if (are_lanes(group, size))
        note_lanes(group, size);
    else
        note_group(group, size, 0);
}

/* Columns that lie apart are noted apart; with twins, only where none is in another group. */
static void note_all(int done) {
    struct column *sorted[FOLLOW_STEPS];
    int n = sort(sorted, done), from = 0;
    uintptr_t high = n > 0 ? sorted[0]->high : 0;
    for (int i = 1; i <= n; ++i) {
        bool apart = i == n || (sorted[i]->low > high && !has_twins(sorted, n, i));
        if (apart)
            note_together(&sorted[from], i - from);
        if (i == n)
            break;
        from = apart ? i : from;
        high = sorted[i]->high > high ? sorted[i]->high : high;
    }
}

void columns_note(int done) {
    for (int i = 1; i <= follow.rounds; ++i)
        follow.level->starts[(follow.count - 1 + (uint64_t)i) % WATCH_RING] =
            follow.start + (uint32_t)i;
    watch.late = true;
    note_all(done);
    watch.late = false;
    set_round(follow.rounds);
}
