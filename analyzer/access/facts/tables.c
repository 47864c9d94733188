/*
 * One array that holds several tables: W[u[n]] and W[v[n] + users]. Each becomes an object of its
 * own, and that the rows reached through one do not run into those reached through another is a
 * guard.
 */
#include "analyzer/access/facts/intervals.h"
#include "analyzer/access/internal.h"

#include <stdlib.h>

/* Constants nearer than this are an offset beside a key, not the begin of a table. */
enum { TABLE_ROWS_LEAST = 16, TABLES_MOST = 4 };

/* The rows reached from one place on: key + `start`. */
struct table {
    const struct poly *start;
    long constant;
    struct object *object;
};

struct tables {
    int count;
    struct table items[TABLES_MOST];
};

/* What is invariant in the first subscript, without its constant;
 * NULL when nothing else is there but that. */
static const struct poly *start_of(const struct trace *t, const struct ref *ref, long *constant) {
    const struct affine *value = &located(t, ref)->subs[0].value;
    struct affine start = {0};
    bool key = false;
    *constant = value->constant;
    for (int i = 0; i < value->nterms; ++i) {
        key = key || value->terms[i].symbol->kind == SYMBOL_KEY;
        if (value->terms[i].symbol->kind == SYMBOL_PARAM)
            ARENA_PUSH(t->arena, start.terms, start.nterms, value->terms[i]);
    }
    return key ? intervals_poly(t, &start) : NULL;
}

static struct table *table_at(struct tables *tables, const struct poly *start, long constant) {
    for (int i = 0; i < tables->count; ++i) {
        struct table *table = &tables->items[i];
        bool near = labs(table->constant - constant) < TABLE_ROWS_LEAST;
        if (poly_equal(table->start, start) && (start->nmonomials > 0 || near))
            return table;
    }
    return NULL;
}

/* The tables of an object; one when it is not to be split: elements that are only summed into have
 * copies of the whole array. */
static int tables_find(const struct trace *t, const struct object *object, struct tables *tables) {
    bool written = false, summed = true;
    tables->count = 0;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        long constant;
        if (located(t, ref)->object != object)
            continue;
        if (located(t, ref)->nsubs < 1 || !located(t, ref)->subs[0].known)
            return 1;
        const struct poly *start = start_of(t, ref, &constant);
        written = written || ref->write;
        summed = summed && located(t, ref)->reduction >= 0;
        if (!start || labs(constant) > 1L << 40)
            return 1;
        if (!table_at(tables, start, constant)) {
            if (tables->count == TABLES_MOST)
                return 1;
            tables->items[tables->count++] = (struct table){start, constant, NULL};
        }
    }
    return written && !summed ? tables->count : 1;
}

static struct object *object_copy(const struct trace *t, const struct object *object,
                                  const struct table *table) {
    struct object_behind *copy = arena_alloc(t->arena, sizeof *copy);
    *copy = *(const struct object_behind *)object;
    const struct poly *start =
        table->start->nmonomials > 0 ? table->start : poly_constant(t->arena, table->constant);
    copy->object.name =
        arena_printf(t->arena, "%s + %s", object->name, poly_text_plain(t->syms, start));
    copy->object.id = t->facts->nobjects;
    ARENA_PUSH(t->arena, t->facts->objects, t->facts->nobjects, &copy->object);
    return &copy->object;
}

/* The rows reached through one of two tables, as intervals of a set. */
static bool intervals_add(const struct trace *t, const struct object *object, int set,
                          struct intervals *intervals) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        struct span span;
        struct interval interval;
        if (located(t, ref)->object != object)
            continue;
        const struct poly *p = intervals_poly(t, &located(t, ref)->subs[0].value);
        if (!p || !intervals_span(t, ref, p, &span) || !intervals_of_span(t, &span, &interval))
            return false;
        interval.set = set;
        intervals_push(t, intervals, interval);
    }
    return true;
}

static const struct intervals *intervals_of_pair(const struct trace *t, const struct object *a,
                                                 const struct object *b) {
    struct intervals *intervals = arena_alloc(t->arena, sizeof *intervals);
    intervals->text =
        arena_printf(t->arena, "the rows of %s do not run into those of %s", a->name, b->name);
    return intervals_add(t, a, 0, intervals) && intervals_add(t, b, 1, intervals) ? intervals
                                                                                  : NULL;
}

/* True when the guards could be made. */
static bool guards_add(const struct trace *t, const struct tables *tables) {
    const struct intervals *intervals[TABLES_MOST][TABLES_MOST];
    for (int i = 0; i < tables->count; ++i) {
        for (int j = 0; j < i; ++j) {
            intervals[i][j] =
                intervals_of_pair(t, tables->items[j].object, tables->items[i].object);
            if (!intervals[i][j])
                return false;
        }
    }
    for (int i = 0; i < tables->count; ++i) {
        for (int j = 0; j < i; ++j) {
            int at = guard_add(t->facts, GUARD_TABLES, tables->items[j].object,
                               tables->items[i].object, false, intervals[i][j]->text);
            t->facts->guards[at].intervals = intervals[i][j];
        }
    }
    return true;
}

static void split(const struct trace *t, struct object *object, struct tables *tables) {
    int nobjects = t->facts->nobjects;
    struct located *before = arena_alloc(t->arena, (size_t)(t->nrefs + 1) * sizeof *before);
    for (int i = 0; i < tables->count; ++i) {
        const struct table *table = &tables->items[i];
        bool first = table->start->nmonomials == 0 && labs(table->constant) < TABLE_ROWS_LEAST;
        tables->items[i].object = first ? object : object_copy(t, object, table);
    }
    for (int i = 0; i < t->nrefs; ++i) {
        struct located *place = located_change(t, &t->refs[i]);
        long constant;
        before[i] = *place;
        if (place->object == object) {
            const struct poly *start = start_of(t, &t->refs[i], &constant);
            place->object = table_at(tables, start, constant)->object;
            place->reduction = -1;
        }
    }
    if (!guards_add(t, tables)) {
        t->facts->nobjects = nobjects;
        for (int i = 0; i < t->nrefs; ++i)
            *located_change(t, &t->refs[i]) = before[i];
        return;
    }
    for (int i = 0; i < tables->count; ++i)
        tables->items[i].object->captured = false;
}

/* requires: objects, subscripts. */
void tables_split(const struct trace *t) {
    int nobjects = t->facts->nobjects;
    for (int i = 0; i < nobjects; ++i) {
        struct object *object = t->facts->objects[i];
        struct tables tables;
        if ((object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER) &&
            tables_find(t, object, &tables) > 1) {
            split(t, object, &tables);
        }
    }
}
