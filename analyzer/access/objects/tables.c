/*
 * One array that holds several tables: W[u[n]] and W[v[n] + users]. Each becomes an object of its
 * own, and that the rows reached through one do not run into those reached through another is a
 * guard.
 */
#include "analyzer/access/facts/claims.h"
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
static const struct poly *start_of(struct walk *w, const struct raw *raw, long *constant) {
    const struct affine *value = &raw->subs[0].value;
    struct affine start = {0};
    bool key = false;
    *constant = value->constant;
    for (int i = 0; i < value->nterms; ++i) {
        key = key || value->terms[i].symbol->kind == SYMBOL_KEY;
        if (value->terms[i].symbol->kind == SYMBOL_PARAM)
            ARENA_PUSH(w->arena, start.terms, start.nterms, value->terms[i]);
    }
    return key ? claims_poly(w, &start) : NULL;
}

static struct table *table_at(struct tables *tables, const struct poly *start, long constant) {
    for (int i = 0; i < tables->count; ++i) {
        struct table *table = &tables->items[i];
        bool near = labs(table->constant - constant) < TABLE_ROWS_LEAST;
        if (poly_equal(table->start, start) && (start->nmonos > 0 || near))
            return table;
    }
    return NULL;
}

/* The tables of an object; one when it is not to be split: elements that are only summed into have
 * copies of the whole array. */
static int tables_find(struct walk *w, const struct object *object, struct tables *tables) {
    bool written = false, summed = true;
    tables->count = 0;
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *raw = &w->raws[i];
        long constant;
        if (raw->object != object)
            continue;
        if (raw->nsubs < 1 || !raw->subs[0].known)
            return 1;
        const struct poly *start = start_of(w, raw, &constant);
        written = written || raw->write;
        summed = summed && raw->reduction >= 0;
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

static struct object *object_copy(struct walk *w, const struct object *object,
                                  const struct table *table) {
    struct object_behind *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *(const struct object_behind *)object;
    const struct poly *start =
        table->start->nmonos > 0 ? table->start : poly_constant(w->arena, table->constant);
    copy->object.name =
        arena_printf(w->arena, "%s + %s", object->name, poly_text_plain(&w->atoms, start));
    copy->object.id = w->facts->nobjects;
    ARENA_PUSH(w->arena, w->facts->objects, w->facts->nobjects, &copy->object);
    return &copy->object;
}

/* The rows reached through one of two tables, as claims of a set. */
static bool claims_add(struct walk *w, const struct object *object, int set,
                       struct claims *claims) {
    for (int i = 0; i < w->nraws; ++i) {
        const struct raw *raw = &w->raws[i];
        struct span span;
        struct claim claim;
        if (raw->object != object)
            continue;
        const struct poly *p = claims_poly(w, &raw->subs[0].value);
        if (!p || !claims_span(w, raw, p, &span) || !claims_of_span(w, &span, &claim))
            return false;
        claim.set = set;
        claims_push(w, claims, claim);
    }
    return true;
}

static const struct claims *claims_of_pair(struct walk *w, const struct object *a,
                                           const struct object *b) {
    struct claims *claims = arena_alloc(w->arena, sizeof *claims);
    claims->text =
        arena_printf(w->arena, "the rows of %s do not run into those of %s", a->name, b->name);
    return claims_add(w, a, 0, claims) && claims_add(w, b, 1, claims) ? claims : NULL;
}

/* True when the guards could be made. */
static bool guards_add(struct walk *w, const struct tables *tables) {
    const struct claims *claims[TABLES_MOST][TABLES_MOST];
    for (int i = 0; i < tables->count; ++i) {
        for (int j = 0; j < i; ++j) {
            claims[i][j] = claims_of_pair(w, tables->items[j].object, tables->items[i].object);
            if (!claims[i][j])
                return false;
        }
    }
    for (int i = 0; i < tables->count; ++i) {
        for (int j = 0; j < i; ++j) {
            int at = guard_add(w->facts, GUARD_TABLES, tables->items[j].object,
                               tables->items[i].object, false, claims[i][j]->text);
            w->facts->guards[at].claims = claims[i][j];
        }
    }
    return true;
}

static void split(struct walk *w, struct object *object, struct tables *tables) {
    int nobjects = w->facts->nobjects;
    struct object **before =
        arena_alloc(w->arena, (size_t)(w->nraws + 1) * sizeof(struct object *));
    int *reductions = arena_alloc(w->arena, (size_t)(w->nraws + 1) * sizeof *reductions);
    for (int i = 0; i < tables->count; ++i) {
        const struct table *table = &tables->items[i];
        bool first = table->start->nmonos == 0 && labs(table->constant) < TABLE_ROWS_LEAST;
        tables->items[i].object = first ? object : object_copy(w, object, table);
    }
    for (int i = 0; i < w->nraws; ++i) {
        struct raw *raw = &w->raws[i];
        long constant;
        before[i] = raw->object;
        reductions[i] = raw->reduction;
        if (raw->object == object) {
            const struct poly *start = start_of(w, raw, &constant);
            raw->object = table_at(tables, start, constant)->object;
            raw->reduction = -1;
        }
    }
    if (!guards_add(w, tables)) {
        w->facts->nobjects = nobjects;
        for (int i = 0; i < w->nraws; ++i) {
            w->raws[i].object = before[i];
            w->raws[i].reduction = reductions[i];
        }
        return;
    }
    for (int i = 0; i < tables->count; ++i)
        tables->items[i].object->captured = false;
}

/* requires: objects, subscripts. */
void tables_split(struct walk *w) {
    int nobjects = w->facts->nobjects;
    for (int i = 0; i < nobjects; ++i) {
        struct object *object = w->facts->objects[i];
        struct tables tables;
        if ((object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER) &&
            tables_find(w, object, &tables) > 1) {
            split(w, object, &tables);
        }
    }
}
