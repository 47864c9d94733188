/*
 * The access recorder that a generated program carries when it is generated for recording: every
 * access of a loop is noted by address, and afterwards each pair of iterations that met is held
 * against what the tool claimed about the loop. Knows nothing of subscripts or dependence theory.
 */
#ifndef RECORD_H
#define RECORD_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_READ, RECORD_WRITE, RECORD_UPDATE };

/* One access. `op`: of an update (`x op= e` with the value used for nothing else), else 0. */
struct record {
    const char *address;
    int size;
    long iteration, order;
    int kind, op;
    const char *text;
};

/*
 * What the tool said of one loop. dims 0: independent; else pairs must share space or time. The
 * lists are ",a,b,": `reductions` of "op name", `objects` it tells apart, `apart` of "a and b": a
 * run stops when they overlap.
 */
struct record_claim {
    int parallel, dims;
    const char *strategy, *privates, *reductions, *objects, *apart;
};

/* A name the tool may call private or a reduction, and where it stands. */
struct record_name {
    const char *name;
    const char *address;
    size_t size;
};

static struct {
    struct record *items;
    long count, capacity;
    long iteration, space[4096], time[4096];
    struct record_name names[64];
    int nnames, guard_failed;
} recorder;

static void record_start(void) {
    recorder.count = 0;
    recorder.iteration = -1;
    recorder.nnames = recorder.guard_failed = 0;
}

/* `guard`: whether the conditions that the plan has checked before it runs hold for this one. */
static void record_iteration(long space, long time, int guard) {
    recorder.guard_failed |= !guard;
    ++recorder.iteration;
    if (recorder.iteration >= 4096)
        abort();
    recorder.space[recorder.iteration] = space;
    recorder.time[recorder.iteration] = time;
}

static void record_name(const char *name, const void *address, size_t size) {
    recorder.names[recorder.nnames++] = (struct record_name){name, address, size};
}

/* Notes an access and hands its address back. */
static void *record_at(void *address, int size, int kind, int op, const char *text) {
    if (recorder.count == recorder.capacity) {
        recorder.capacity = recorder.capacity ? 2 * recorder.capacity : 4096;
        recorder.items = realloc(recorder.items, (size_t)recorder.capacity * sizeof(struct record));
    }
    recorder.items[recorder.count++] = (struct record){.address = address,
                                                       .size = size,
                                                       .iteration = recorder.iteration,
                                                       .order = recorder.count,
                                                       .kind = kind,
                                                       .op = op,
                                                       .text = text};
    return address;
}

static int record_listed(const char *list, const char *format, ...) {
    char wanted[120];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(wanted, sizeof wanted, format, arguments);
    va_end(arguments);
    return strstr(list, wanted) != NULL;
}

/* The name that the text of an access begins with; wA, wB, wC are pointers into A, B, C. */
static const char *record_base(const struct record *one) {
    static char names[4][32];
    static int next;
    const char *from = one->text + (one->text[0] == 'w');
    size_t length = strcspn(from, "[.");
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "%.*s", (int)length, from);
    return name;
}

/* The name of the variable that an address lies in. */
static const char *record_owner(const char *address) {
    for (int i = 0; i < recorder.nnames; ++i) {
        const struct record_name *one = &recorder.names[i];
        if (address >= one->address && address < one->address + one->size)
            return one->name;
    }
    return "?";
}

/* The object of an access as the tool names it: what the text says when it knows such an object,
 * else the variable that the pointer was resolved to. */
static const char *record_object(const struct record_claim *claim, const struct record *one) {
    const char *base = record_base(one);
    return record_listed(claim->objects, ",%s,", base) ? base : record_owner(one->address);
}

/* Whether the tool takes this update for part of a reduction. */
static int record_reduced(const struct record_claim *claim, const struct record *one) {
    return record_listed(claim->reductions, ",%c %s,", one->op, record_object(claim, one));
}

/* Whether a run stops when the objects of these two accesses overlap. */
static int record_apart(const struct record_claim *claim, const struct record *a,
                        const struct record *b) {
    const char *first = record_object(claim, a), *second = record_object(claim, b);
    return record_listed(claim->apart, ",%s and %s,", first, second) ||
           record_listed(claim->apart, ",%s and %s,", second, first);
}

static int record_compare(const void *a, const void *b) {
    const struct record *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* True when some iteration reads the place before it writes it. */
static int record_exposed(const struct record *items, long count) {
    for (long i = 0; i < count; ++i) {
        int first = 1;
        for (long j = 0; j < i; ++j)
            first = first && items[j].iteration != items[i].iteration;
        if (first && items[i].kind != RECORD_WRITE)
            return 1;
    }
    return 0;
}

/* Whether two accesses of one place in two iterations break the claim. */
static int record_breaks(const struct record_claim *claim, const struct record *a,
                         const struct record *b) {
    if (a->iteration == b->iteration || (a->kind == RECORD_READ && b->kind == RECORD_READ))
        return 0;
    if (a->kind == RECORD_UPDATE && b->kind == RECORD_UPDATE && a->op == b->op &&
        record_reduced(claim, a) && record_reduced(claim, b))
        return 0;
    if (record_apart(claim, a, b))
        return 0;
    if (claim->dims >= 1 && recorder.space[a->iteration] == recorder.space[b->iteration])
        return 0;
    if (claim->dims >= 2 && recorder.time[a->iteration] == recorder.time[b->iteration])
        return 0;
    return 1;
}

/*
 * All elements have one size here, so equal addresses mean the same place. Prints the first two
 * accesses that break the claim. Returns how many conflicting iteration pairs there are at all
 * (claim or no claim), negative when the claim is broken.
 */
static long record_check(const char *loop, const struct record_claim *claim) {
    static const struct record_claim nothing = {
        .privates = ",", .reductions = ",", .objects = ",", .apart = ","};
    long met = 0;
    struct record *all = malloc((size_t)(recorder.count + 1) * sizeof *all);
    memcpy(all, recorder.items, (size_t)recorder.count * sizeof *all);
    qsort(all, (size_t)recorder.count, sizeof *all, record_compare);
    for (long from = 0, to; from < recorder.count; from = to) {
        for (to = from; to < recorder.count && all[to].address == all[from].address; ++to)
            continue;
        int private = record_listed(claim->privates, ",%s,", record_owner(all[from].address)) &&
                      !record_exposed(all + from, to - from);
        for (long i = from; i < to; ++i)
            for (long j = from; j < i; ++j) {
                met += record_breaks(&nothing, &all[i], &all[j]);
                if (!claim->parallel || recorder.guard_failed || private ||
                    !record_breaks(claim, &all[i], &all[j]))
                    continue;
                printf("%s: UNSOUND: %s, but iterations %ld (%s) and %ld (%s) meet\n", loop,
                       claim->strategy, all[j].iteration, all[j].text, all[i].iteration,
                       all[i].text);
                free(all);
                return -1;
            }
    }
    free(all);
    return met;
}

#endif
