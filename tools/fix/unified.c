/* Two texts -> a unified diff, by Myers' greedy search (Algorithmica 1, 1986). */
#include "tools/fix/fix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    int count;
    const char **begin; /* `count` + 1 of them: the last is the text's end */
};

static struct lines split(const char *text) {
    size_t room = 2;
    for (const char *at = text; *at; ++at)
        room += *at == '\n';
    struct lines lines = {0, calloc(room, sizeof *lines.begin)};
    for (const char *at = text; *at;) {
        lines.begin[lines.count++] = at;
        at += strcspn(at, "\n");
        at += *at == '\n';
        lines.begin[lines.count] = at;
    }
    return lines;
}

static int length(const struct lines *lines, int i) {
    return (int)(lines->begin[i + 1] - lines->begin[i]);
}

static bool same(const struct lines *a, int i, const struct lines *b, int j) {
    return length(a, i) == length(b, j) &&
           memcmp(a->begin[i], b->begin[j], (size_t)length(a, i)) == 0;
}

/* Which lines go and which come. `trace[d]`: the furthest line of `a` on each diagonal after d
 * changes. */
struct difference {
    struct lines a, b;
    bool *gone, *come;
};

static int furthest(const struct difference *d, const int *last, int k, int changes) {
    int at = k == -changes || (k != changes && last[k - 1] < last[k + 1]) ? last[k + 1]
                                                                          : last[k - 1] + 1;
    while (at < d->a.count && at - k < d->b.count && same(&d->a, at, &d->b, at - k))
        ++at;
    return at;
}

static void mark(struct difference *d, int **trace, int changes) {
    int x = d->a.count, y = d->b.count;
    for (; changes > 0; --changes) {
        const int *last = trace[changes - 1];
        int k = x - y;
        bool comes = k == -changes || (k != changes && last[k - 1] < last[k + 1]);
        k = comes ? k + 1 : k - 1;
        x = last[k];
        y = x - k;
        if (comes)
            d->come[y] = true;
        else
            d->gone[x] = true;
    }
}

static void compare(struct difference *d) {
    int most = d->a.count + d->b.count, changes = -1;
    size_t room = (size_t)(2 * most + 5);
    int **trace = calloc((size_t)most + 2, sizeof *trace), *start = calloc(room, sizeof *start);
    bool done = false;
    const int *last = start + most + 2;
    while (!done) {
        ++changes;
        trace[changes] = (int *)calloc(room, sizeof **trace) + most + 2;
        for (int k = -changes; k <= changes && !done; k += 2) {
            int at = changes == 0 ? furthest(d, (const int[]){0, 0, 0} + 1, 0, 0)
                                  : furthest(d, last, k, changes);
            trace[changes][k] = at;
            done = at >= d->a.count && at - k >= d->b.count;
        }
        last = trace[changes];
    }
    mark(d, trace, changes);
    for (int i = 0; i <= changes; ++i)
        free(trace[i] - most - 2);
    free(start);
    free(trace);
}

enum { AROUND = 3 };

/* A place between lines of both texts. */
struct at {
    int a, b;
};

static bool changes_at(const struct difference *d, struct at at) {
    return (at.a < d->a.count && d->gone[at.a]) || (at.b < d->b.count && d->come[at.b]);
}

static struct at pass_changes(const struct difference *d, struct at at) {
    while (at.a < d->a.count && d->gone[at.a])
        ++at.a;
    while (at.b < d->b.count && d->come[at.b])
        ++at.b;
    return at;
}

static struct at pass_same(const struct difference *d, struct at at, int most) {
    for (int i = 0; i < most && at.a < d->a.count && !changes_at(d, at); ++i, ++at.a, ++at.b)
        ;
    return at;
}

/* The end of the hunk that begins with changes at `at`. */
static struct at end_of_hunk(const struct difference *d, struct at at) {
    for (;;) {
        struct at same = pass_changes(d, at), next = pass_same(d, same, 2 * AROUND);
        if (!changes_at(d, next))
            return pass_same(d, same, AROUND);
        at = next;
    }
}

static void put(FILE *out, char sign, const struct lines *lines, int i) {
    int bytes = length(lines, i);
    fprintf(out, "%c%.*s", sign, bytes, lines->begin[i]);
    if (lines->begin[i][bytes - 1] != '\n')
        fputs("\n\\ No newline at end of file\n", out);
}

/* diff counts an empty range from the line in front of it. */
static int first(int begin, int count) {
    return count > 0 ? begin + 1 : begin;
}

static void print_hunk(const struct difference *d, struct at at, struct at end, FILE *out) {
    fprintf(out, "@@ -%d,%d +%d,%d @@\n", first(at.a, end.a - at.a), end.a - at.a,
            first(at.b, end.b - at.b), end.b - at.b);
    while (at.a < end.a || at.b < end.b) {
        for (; at.a < end.a && d->gone[at.a]; ++at.a)
            put(out, '-', &d->a, at.a);
        for (; at.b < end.b && d->come[at.b]; ++at.b)
            put(out, '+', &d->b, at.b);
        for (; at.a < end.a && !changes_at(d, at); ++at.a, ++at.b)
            put(out, ' ', &d->a, at.a);
    }
}

static void print(const struct difference *d, FILE *out) {
    struct at at = {0, 0};
    for (;;) {
        struct at change = pass_same(d, at, d->a.count);
        if (!changes_at(d, change))
            return;
        int before = change.a - at.a < AROUND ? change.a - at.a : AROUND;
        struct at end = end_of_hunk(d, change);
        print_hunk(d, (struct at){change.a - before, change.b - before}, end, out);
        at = end;
    }
}

void fix_diff(const char *name, const char *before, const char *after, void *out) {
    struct difference d = {.a = split(before), .b = split(after)};
    d.gone = calloc((size_t)d.a.count + 1, sizeof *d.gone);
    d.come = calloc((size_t)d.b.count + 1, sizeof *d.come);
    if (strcmp(before, after) != 0) {
        compare(&d);
        fprintf(out, "--- %s\n+++ %s\n", name, name);
        print(&d, out);
    }
    free(d.gone);
    free(d.come);
    free(d.a.begin);
    free(d.b.begin);
}
