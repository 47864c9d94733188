/*
 * Notes what was followed (follow.h): the same accesses, in the same state of the loop. What no
 * other step can meet is noted step by step, a column of accesses that lie in equal strides.
 */
#include "runtime/accesses/rules.h"

static struct column columns[FOLLOW_STEPS];

/* ---- lists ----------------------------------------------------------------------------------- */

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

/* The same where the loop around carries the last read, and none further out carries the one before:
 * the usual case. requires: the times `begin` to `end` are that loop's, up to its iteration; none
 * where there is no such loop. */
static inline __attribute__((always_inline)) bool
read_as_before(struct cell *cell, uint64_t stamp, uint32_t begin, uint32_t end, uint32_t first) {
    if (time_of(cell->read) - begin >= end - begin || time_of(cell->written) >= begin ||
        time_of(cell->before) - first < begin - first)
        return false;
    cell->before = cell->read;
    cell->read = stamp;
    return true;
}

/* Reads without stride. */
static void note_list(struct column *column) {
    const struct follow_step *step = column->step;
    const struct watch_span around =
        follow.span > watch.spans ? follow.span[-1] : (struct watch_span){0};
    const uint32_t first = watch.first;
    const uintptr_t *list = step->list;
    uint64_t stamp = (uint64_t)step->site << 32 | follow.start;
    const int count = column->count;
    int others = 0;
    for (int i = 0; i < count; ++i, ++stamp) {
        struct cell *cell = cell_of_word(list[i]);
        if (is_for(cell, list[i], WORD) &&
            (read_as_before(cell, stamp, around.begin, around.iteration, first) ||
             read_quietly(cell, stamp)))
            continue;
        ++others;
        column_note_access(step, i);
    }
    watch.touches += (uint64_t)(count - others);
}

static void note_column(struct column *column) {
    const struct follow_step *step = column->step;
    if (has_stride(column))
        column_run(column);
    else if (step->listed && !step->write && step->size == WORD && shadow_holds(column->low) &&
             shadow_holds(column->high) && (column->low ^ column->high) >> SHADOW_BITS == 0)
        note_list(column);
    else
        for (int i = 0; i < column->count; ++i)
            column_note_access(column->step, i);
}

/* Columns that may meet: access by access, as they came. */
static void note_group(struct column *const *group, int size, int from) {
    for (int round = from; round <= follow.rounds; ++round)
        for (int i = 0; i < size; ++i)
            if (round < group[i]->count)
                column_note_access(group[i]->step, round);
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
            column_run(lanes[i]);
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
            column_note_access(group[i]->step, round);
}

/* A read alone, of what this instance of the loop has not written: from the second round on the read
 * before is that of the round before, or one that a loop around carries. Returns the next round. */
static int read_still(const struct column *column, struct cell *cell) {
    const uint64_t left = (uint64_t)column->count - 1;
    const struct watch_span *span = follow.span;
    column_note_access(column->step, 0);
    if (left == 0 || time_of(cell->read) != follow.start || time_of(cell->written) >= span->begin)
        return 1;
    const uint32_t before = time_of(cell->before);
    if (before >= span->begin || before < watch.first || !transfer_from(span - 1, before))
        cell->before = ((uint64_t)column->step->site << 32 | follow.start) + left - 1;
    cell->read = ((uint64_t)column->step->site << 32 | follow.start) + left;
    watch.touches += left;
    return column->count;
}

/* What is known of two steps, the first of which comes one iteration earlier; NULL: nothing is. */
static struct conflict_hit *hit_of_rounds(enum conflict_kind kind, const struct follow_step *source,
                                          const struct follow_step *sink) {
    struct conflict_hit *hit = conflict_hit_of(kind, source->site, sink->site);
    bool known = hit->source == source->site && hit->sink == sink->site &&
                 hit->span == follow.span && hit->serial == follow.span->serial &&
                 sink->first - hit->low < hit->size && (!hit->record || hit->just);
    return known ? hit : NULL;
}

static void count_rounds(struct conflict_hit *hit, uint64_t rounds) {
    if (!hit->record)
        return;
    *hit->record->counted += rounds;
    hit->record->touch = watch.touches;
}

/* `sum += ...` of a sum that no iteration of a loop has touched before: each round but the first
 * meets the write of the one before, twice. Returns false where that is not known. */
static bool note_sum(struct column *const *group, struct cell *cell) {
    const struct follow_step *read = group[0]->step, *write = group[1]->step;
    const uint64_t rounds = (uint64_t)group[1]->count;
    if (read->write || !write->write || group[0]->count != group[1]->count)
        return false;
    set_round(0);
    if (time_of(cell->read) | time_of(cell->before) ||
        (is_earlier(cell->written) && transfer_of(time_of(cell->written))))
        return false;
    struct conflict_hit *flow = hit_of_rounds(CONFLICT_FLOW, write, read);
    struct conflict_hit *output = hit_of_rounds(CONFLICT_OUTPUT, write, write);
    if (!flow || !output)
        return false;
    watch.touches += 2 * rounds;
    count_rounds(flow, rounds - 1);
    count_rounds(output, rounds - 1);
    uint64_t half = write->size == HALF ? IS_HALF : 0;
    *cell =
        (struct cell){.written = ((uint64_t)write->site << 32 | half | follow.start) + rounds - 1};
    return true;
}

/* Once a round changes nothing but times, all others do the same. Returns the next round. */
static int note_still(struct column *const *group, int size) {
    enum { TRIES = 4 };
    const int rounds = group[size - 1]->count;
    struct cell *cell = cell_for(group[0]->step->first, group[0]->step->size);
    const struct watch_loop *loop = follow.level->loop;
    int round = 0;
    if (size == 1 && !group[0]->step->write)
        return read_still(group[0], cell);
    if (size == 2 && note_sum(group, cell))
        return rounds;
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
}

/* The steps in the order in which they came out last. */
static uint8_t *last_order(void) {
    static const struct follow_step *of;
    static uint8_t order[FOLLOW_STEPS];
    static int count;
    for (int i = 0; (of != follow.steps || count != follow.nsteps) && i < follow.nsteps; ++i)
        order[i] = (uint8_t)i;
    of = follow.steps;
    count = follow.nsteps;
    return order;
}

/* Those that have accesses, by their lowest address. Returns how many. */
static int sort(struct column **sorted, int done) {
    int n = 0;
    bool moved = false;
    uint8_t *order = last_order();
    for (int k = 0; k < follow.nsteps; ++k) {
        const int i = order[k];
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
        moved |= at < n - 1;
    }
    for (int k = 0; moved && n == follow.nsteps && k < n; ++k)
        order[k] = (uint8_t)(sorted[k] - columns);
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

/* When the rounds began, but for the first. */
static void note_starts(void) {
    uint32_t *starts = follow.level->starts, time = follow.start + 1;
    const uint64_t low = follow.count % WATCH_RING, end = low + (uint64_t)follow.rounds;
    for (uint64_t i = low; i < end && i < WATCH_RING; ++i)
        starts[i] = time++;
    for (uint64_t i = WATCH_RING; i < end; ++i)
        starts[i - WATCH_RING] = time++;
}

void columns_note(int done) {
    note_starts();
    watch.late = true;
    note_all(done);
    watch.late = false;
    set_round(follow.rounds);
}
