/*
 * First a walk that is enough for data in order: what each iteration intervals lies behind (or
 * before) what the one before it did. Otherwise the intervals are listed, sorted and compared.
 */
#include "runtime/checks/intervals.h"

#include "runtime/threads/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the two walks --------------------------------------------------------------------------- */

/* From the least to the greatest of a set, and in which iterations these were claimed. */
struct hull {
    struct orrery_access_interval least, greatest;
    bool any;
};

/* Where one worker's intervals go. */
struct sink {
    _Alignas(64) struct orrery_intervals intervals; /* what the loop calls */
    enum orrery_guard_kind kind;                    /* what the guard promises */
    long iteration;                                 /* the one that intervals now */
    struct orrery_access_interval
        now; /* looking: the hull of this iteration's (of places and values: it) */
    struct orrery_access_interval first, last; /* ... of those before */
    /* `now` is set, `last` is; values have only risen, only fallen so far */
    bool has_now, has_last, rises, falls;
    struct hull hulls[2];                /* ... of tables, of the two */
    struct orrery_access_interval *list; /* listing: all of them; NULL: only looking */
    long count, room;                    /* of the list */
};

struct look {
    const struct orrery_loop *loop;
    int guard;
    const void *env;
    long count;
    int workers;
    struct sink *sinks;
};

/* Does `next` come behind `interval` in a way that what the guard asks is true of both? */
static bool follows(enum orrery_guard_kind kind, const struct orrery_access_interval *interval,
                    const struct orrery_access_interval *next) {
    switch (kind) {
    case ORRERY_APART:
        return next->low > interval->high;
    case ORRERY_MONOTONE:
        return next->low >= interval->low && next->high >= interval->high;
    default:
        return next->high > interval->high ||
               (next->high == interval->high && next->low == interval->low);
    }
}

static void finish_interval(struct sink *sink) {
    if (!sink->has_now)
        return;
    if (sink->has_last) {
        sink->rises = sink->rises && follows(sink->kind, &sink->last, &sink->now);
        sink->falls = sink->falls && follows(sink->kind, &sink->now, &sink->last);
    } else {
        sink->first = sink->now;
    }
    sink->last = sink->now;
    sink->has_last = true;
    sink->has_now = false;
}

static void look_at(struct orrery_intervals *intervals, long low, long high) {
    struct sink *sink = (struct sink *)intervals;
    if (sink->kind != ORRERY_APART)
        finish_interval(sink);
    else if (low > high)
        return;
    if (!sink->has_now)
        sink->now = (struct orrery_access_interval){low, high, sink->iteration};
    sink->now.low = low < sink->now.low ? low : sink->now.low;
    sink->now.high = high > sink->now.high ? high : sink->now.high;
    sink->has_now = true;
}

static void hull_add(struct hull *hull, const struct orrery_access_interval *least,
                     const struct orrery_access_interval *greatest) {
    if (!hull->any || least->low < hull->least.low)
        hull->least = *least;
    if (!hull->any || greatest->high > hull->greatest.high)
        hull->greatest = *greatest;
    hull->any = true;
}

static void widen(struct orrery_intervals *intervals, long low, long high) {
    struct sink *sink = (struct sink *)intervals;
    const struct orrery_access_interval interval = {low, high, sink->iteration};
    if (low <= high)
        hull_add(&sink->hulls[intervals->set], &interval, &interval);
}

static void list_interval(struct orrery_intervals *intervals, long low, long high) {
    struct sink *sink = (struct sink *)intervals;
    if (sink->kind == ORRERY_APART && low > high)
        return;
    if (sink->count == sink->room) {
        long room = sink->room ? 2 * sink->room : 1024;
        struct orrery_access_interval *list = dsm_own_alloc((size_t)room * sizeof *list);
        if (sink->count)
            memcpy(list, sink->list, (size_t)sink->count * sizeof *list);
        dsm_own_free(sink->list);
        sink->list = list;
        sink->room = room;
    }
    sink->list[sink->count++] = (struct orrery_access_interval){low, high, sink->iteration};
}

static void walk_share(void *data, int worker) {
    struct look *look = data;
    struct sink *sink = &look->sinks[worker];
    long end = orrery_share(look->count, worker + 1, look->workers);
    for (long i = orrery_share(look->count, worker, look->workers); i < end; ++i) {
        sink->iteration = i;
        sink->intervals.set = 0;
        look->loop->intervals(look->env, i, look->guard, &sink->intervals);
        if (sink->kind == ORRERY_APART)
            finish_interval(sink);
    }
    if (sink->kind != ORRERY_EMPTY)
        finish_interval(sink);
}

static void walk(struct look *look,
                 void (*add)(struct orrery_intervals *intervals, long low, long high)) {
    for (int w = 0; w < look->workers; ++w)
        look->sinks[w].intervals.add = add;
    orrery_workers_run(walk_share, look);
}

static struct orrery_span *spans_new(int nspans) {
    struct orrery_span *spans = dsm_own_alloc((size_t)(nspans + 1) * sizeof *spans);
    for (int s = 0; s < nspans; ++s)
        spans[s] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    return spans;
}

static void look_start(struct look *look, const struct orrery_loop *loop, int guard,
                       const void *env, long count) {
    *look = (struct look){loop, guard, env, count, orrery_workers_count(), NULL};
    size_t bytes = (size_t)look->workers * sizeof *look->sinks;
    look->sinks = dsm_own_fails() ? NULL : aligned_alloc(64, bytes);
    if (!look->sinks) {
        dsm_own_starve();
        dsm_refuse(1, "%s:%d: no memory to check what the iterations touch", loop->file,
                   loop->line);
    }
    for (int w = 0; w < look->workers; ++w)
        look->sinks[w] = (struct sink){.intervals.spans = spans_new(loop->nspans),
                                       .kind = loop->guards[guard].kind,
                                       .rises = true,
                                       .falls = true};
}

static void look_end(struct look *look, struct orrery_span *into) {
    for (int w = 0; w < look->workers; ++w) {
        struct sink *sink = &look->sinks[w];
        for (int s = 0; s < look->loop->nspans; ++s)
            if (sink->intervals.spans[s].high)
                orrery_touch(
                    &into[s], sink->intervals.spans[s].low,
                    (unsigned long)(sink->intervals.spans[s].high - sink->intervals.spans[s].low));
        dsm_own_free(sink->intervals.spans);
        dsm_own_free(sink->list);
    }
    free(look->sinks);
}

/* All workers' shares rise, and each begins behind the one before; or all fall. */
static bool is_orderly(const struct look *look) {
    const struct sink *before = NULL;
    bool rises = true, falls = true;
    for (int w = 0; w < look->workers; ++w) {
        const struct sink *sink = &look->sinks[w];
        if (!sink->has_last)
            continue;
        rises =
            rises && sink->rises && (!before || follows(sink->kind, &before->last, &sink->first));
        falls =
            falls && sink->falls && (!before || follows(sink->kind, &sink->first, &before->last));
        before = sink;
    }
    return rises || falls;
}

/* ---- compared -------------------------------------------------------------------------------- */

static void say(const struct orrery_loop *loop, const struct orrery_guard *guard,
                const struct orrery_access_pair *bad, char *text, size_t size) {
    const struct orrery_access_interval *a = &bad->a, *b = &bad->b;
    const struct orrery_array *array = &loop->arrays[guard->a];
    if (guard->kind == ORRERY_APART && a->iteration > b->iteration) {
        const struct orrery_access_interval *later = a;
        a = b;
        b = later;
    }
    if (guard->kind == ORRERY_APART)
        snprintf(text, size,
                 "iteration %ld touches elements %ld to %ld and iteration %ld elements %ld to %ld "
                 "of %s (%s)",
                 a->iteration, a->low, a->high, b->iteration, b->low, b->high, array->name,
                 array->where);
    else if (guard->kind == ORRERY_MONOTONE)
        snprintf(text, size, "%s[%ld] = %ld and %s[%ld] = %ld (%s)", array->name, a->low, a->high,
                 array->name, b->low, b->high, array->where);
    else
        snprintf(text, size, "%s[%ld] and %s[%ld] are both %ld (%s)", array->name, a->low,
                 array->name, b->low, a->high, array->where);
}

static bool compare_all(struct look *look, char *text, size_t size) {
    const struct orrery_guard *guard = &look->loop->guards[look->guard];
    struct orrery_access_interval **lists = dsm_own_alloc((size_t)look->workers * sizeof *lists);
    long *counts = dsm_own_alloc((size_t)look->workers * sizeof *counts), n;
    struct orrery_access_pair pair;
    walk(look, list_interval);
    for (int w = 0; w < look->workers; ++w) {
        lists[w] = look->sinks[w].list;
        counts[w] = look->sinks[w].count;
    }
    struct orrery_access_interval *all = orrery_intervals_sort(
        lists, counts, guard->kind == ORRERY_INJECTIVE ? orrery_by_high : orrery_by_low, &n);
    bool bad = guard->kind == ORRERY_APART      ? orrery_find_meeting(all, n, &pair)
               : guard->kind == ORRERY_MONOTONE ? orrery_find_fall(all, n, &pair)
                                                : orrery_find_twice(all, n, &pair);
    if (bad)
        say(look->loop, guard, &pair, text, size);
    dsm_own_free(all);
    dsm_own_free(lists);
    dsm_own_free(counts);
    return !bad;
}

/* Two tables in one array: the hulls of what is reached in each do not meet. */
static bool tables_lie_apart(struct look *look, char *text, size_t size) {
    const struct orrery_guard *guard = &look->loop->guards[look->guard];
    struct hull hulls[2] = {0};
    walk(look, widen);
    for (int w = 0; w < look->workers; ++w)
        for (int set = 0; set < 2; ++set)
            if (look->sinks[w].hulls[set].any)
                hull_add(&hulls[set], &look->sinks[w].hulls[set].least,
                         &look->sinks[w].hulls[set].greatest);
    if (!hulls[0].any || !hulls[1].any || hulls[0].greatest.high < hulls[1].least.low ||
        hulls[1].greatest.high < hulls[0].least.low)
        return true;
    snprintf(
        text, size,
        "rows %ld (iteration %ld) to %ld (iteration %ld) of %s (%s) and %ld (iteration %ld) to "
        "%ld (iteration %ld) of %s (%s) meet in one array",
        hulls[0].least.low, hulls[0].least.iteration, hulls[0].greatest.high,
        hulls[0].greatest.iteration, look->loop->arrays[guard->a].name,
        look->loop->arrays[guard->a].where, hulls[1].least.low, hulls[1].least.iteration,
        hulls[1].greatest.high, hulls[1].greatest.iteration, look->loop->arrays[guard->b].name,
        look->loop->arrays[guard->b].where);
    return false;
}

/* Intervals that should not be:
 * a value out of its range is the low end in set 0, the high in set 1. */
static void first_only(struct orrery_intervals *intervals, long low, long high) {
    struct sink *sink = (struct sink *)intervals;
    if (low > high || sink->has_last)
        return;
    long value = intervals->set ? high : low;
    sink->last = (struct orrery_access_interval){value, value, sink->iteration};
    sink->has_last = true;
}

static bool none_claimed(struct look *look, char *text, size_t size) {
    walk(look, first_only);
    for (int w = 0; w < look->workers; ++w) {
        const struct orrery_access_interval *bad = &look->sinks[w].last;
        if (!look->sinks[w].has_last)
            continue;
        snprintf(text, size, "iteration %ld has the value %ld", bad->iteration, bad->low);
        return false;
    }
    return true;
}

static bool fact_holds(struct look *look, char *text, size_t size) {
    if (look->loop->guards[look->guard].kind == ORRERY_TABLES)
        return tables_lie_apart(look, text, size);
    if (look->loop->guards[look->guard].kind == ORRERY_EMPTY)
        return none_claimed(look, text, size);
    walk(look, look_at);
    return is_orderly(look) || compare_all(look, text, size);
}

/* ---- kept ------------------------------------------------------------------------------------ */

void orrery_inputs_copy(const struct orrery_loop *loop, const char *env, char *to) {
    memset(to, 0, loop->env_size);
    for (int i = 0; i < loop->ninputs; ++i)
        memcpy(to + loop->inputs[i].offset, env + loop->inputs[i].offset, loop->inputs[i].size);
}

bool orrery_intervals_hold(const struct orrery_state *state, const void *env, long count) {
    const struct orrery_intervals_seen *seen = &state->intervals;
    if (!seen->known || seen->count != count)
        return false;
    char now[state->loop->env_size + 1];
    orrery_inputs_copy(state->loop, env, now);
    return memcmp(now, seen->inputs, state->loop->env_size) == 0 && !dsm_watch_changed(seen->watch);
}

void orrery_intervals_forget(struct orrery_state *state) {
    struct orrery_intervals_seen *seen = &state->intervals;
    if (seen->known)
        dsm_watch_end(seen->watch);
    dsm_own_free(seen->inputs);
    dsm_own_free(seen->spans);
    *seen = (struct orrery_intervals_seen){.spans = spans_new(state->loop->nspans)};
}

bool orrery_intervals_check(struct orrery_state *state, int g, const void *env, long count,
                            char *text, size_t size) {
    struct look look;
    look_start(&look, state->loop, g, env, count);
    bool holds = fact_holds(&look, text, size);
    look_end(&look, state->intervals.spans);
    return holds;
}

void orrery_intervals_keep(struct orrery_state *state, const void *env, long count) {
    struct orrery_intervals_seen *seen = &state->intervals;
    int n = 0;
    struct dsm_range *ranges = dsm_own_alloc((size_t)(state->loop->nspans + 1) * sizeof *ranges);
    for (int s = 0; s < state->loop->nspans; ++s)
        if (seen->spans[s].high)
            ranges[n++] = (struct dsm_range){seen->spans[s].low, seen->spans[s].high};
    seen->watch = dsm_watch_start_windowed(n, ranges);
    dsm_own_free(ranges);
    seen->inputs = dsm_own_alloc(state->loop->env_size);
    orrery_inputs_copy(state->loop, env, seen->inputs);
    seen->count = count;
    seen->known = true;
}
