/*
 * All pairs of accesses of which one writes: equal ones merged, answered by subscripts or by alias.
 */
#include "analyzer/budget.h"
#include "analyzer/depend/solve.h"

#include <stdio.h>
#include <string.h>
#include <uthash.h>

/* Accesses of one object that no question can tell apart; `first` stands for them. */
struct class {
    const struct access *first;
    const char *shape;
};

struct object_classes {
    int count;
    struct class *items;
};

/* A dependence already reported: object, kind and the answer it rests on. */
struct seen {
    struct seen_key {
        const void *a, *b;
        long what, kind;
    } key;
    UT_hash_handle hh;
};

struct pairs {
    struct arena *arena;
    struct loop_facts *facts;
    bool unordered;
    struct depend_solver *solver;
    struct object_classes *objects;
    struct seen *seen;
    struct access_deps *deps;
};

/* ---- what an object is exempt from ----------------------------------------------------------- */

bool depend_is_private(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object == object)
            return true;
    if (object->kind != OBJECT_SCALAR && object->kind != OBJECT_ARRAY)
        return false;
    for (int i = 0; i < facts->nprivates; ++i)
        if (object->var && facts->privates[i].var == object->var)
            return true;
    return false;
}

/* Is `object` named in a relax() or buffer() clause of the loop? */
static bool depend_is_relaxed(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        if (reduction->object == object && reduction_is_merged(reduction))
            return true;
    }
    return false;
}

/* ---- classes --------------------------------------------------------------------------------- */

struct class_key {
    const char *text;
    int first;
    UT_hash_handle hh;
};

static const char *class_text(struct arena *arena, const struct access *a, const char *shape) {
    const char *text = arena_printf(arena, "%d|%d|%ld|%ld|%s", a->object->id, a->write,
                                    a->field_offset, a->field_size, shape);
    for (int d = 0; d < a->nsubs; ++d)
        text = arena_printf(arena, "%s|%ld", text, a->subs[d].value.constant);
    return text;
}

static void keys_drop(void *data) {
    struct class_key **keys = data;
    HASH_CLEAR(hh, *keys);
}

int *access_firsts(const struct loop_facts *facts, const char *const *shapes) {
    struct arena *arena = facts->unit->arena;
    struct class_key *keys = NULL, *key;
    int *firsts = arena_alloc(arena, (size_t)(facts->naccesses + 1) * sizeof *firsts);
    budget_remember(keys_drop, &keys);
    for (int i = 0; i < facts->naccesses; ++i) {
        const char *text = class_text(arena, &facts->accesses[i], shapes[i]);
        HASH_FIND_STR(keys, text, key);
        if (!key) {
            key = arena_alloc(arena, sizeof *key);
            key->text = text;
            key->first = i;
            HASH_ADD_KEYPTR(hh, keys, key->text, strlen(text), key);
        }
        firsts[i] = key->first;
    }
    budget_forget(&keys);
    keys_drop(&keys);
    return firsts;
}

static void classes_fill(struct pairs *p) {
    p->objects = arena_alloc(p->arena, (p->facts->nobjects + 1) * sizeof *p->objects);
    const char **shapes = access_shapes(p->facts);
    const int *firsts = access_firsts(p->facts, shapes);
    for (int i = 0; i < p->facts->naccesses; ++i) {
        const struct access *a = &p->facts->accesses[i];
        struct class c = {a, shapes[i]};
        struct object_classes *of = &p->objects[a->object->id];
        if (firsts[i] == i)
            ARENA_PUSH(p->arena, of->items, of->count, c);
    }
}

/* ---- dependences ----------------------------------------------------------------------------- */

static bool seen_before(struct pairs *p, char what, const void *a, const void *b, int kind) {
    const struct seen_key key = {a, b, what, kind};
    struct seen *old;
    HASH_FIND(hh, p->seen, &key, sizeof key, old);
    if (old)
        return true;
    old = arena_alloc(p->arena, sizeof *old);
    old->key = key;
    HASH_ADD(hh, p->seen, key, sizeof old->key, old);
    return false;
}

static enum dep_kind kind_of(const struct access *source, const struct access *sink) {
    return !source->write ? DEP_ANTI : sink->write ? DEP_OUTPUT : DEP_FLOW;
}

static void dep_add(struct pairs *p, enum dep_status status, const struct access *source,
                    const struct access *sink, const struct pair_answer *answer, const char *why) {
    struct access_dep dep = {kind_of(source, sink),          status, source, sink, answer,
                             source->object != sink->object, why};
    ARENA_PUSH(p->arena, p->deps->items, p->deps->count, dep);
}

static void refuted_add(struct pairs *p, const struct access *source, const struct access *sink,
                        const struct pair_answer *answer) {
    if (!seen_before(p, 'r', source->object, answer, kind_of(source, sink)))
        dep_add(p, DEP_REFUTED, source, sink, NULL, depend_refutation(p->facts, source, sink));
}

/* Source and sink in this order. */
static void directed(struct pairs *p, const struct class *source, const struct class *sink,
                     bool relaxed) {
    const struct access *a = source->first, *b = sink->first;
    if (!access_bytes_meet(a, b)) {
        refuted_add(p, a, b, NULL);
        return;
    }
    const struct pair_answer *answer = depend_solve(p->solver, a, source->shape, b, sink->shape);
    if (answer->verdict == PAIR_NONE) {
        refuted_add(p, a, b, answer);
    } else if (!seen_before(p, 'c', a->object, answer, kind_of(a, b))) {
        enum dep_status status = relaxed                         ? DEP_RELAXED
                                 : answer->verdict == PAIR_LIMIT ? DEP_LIMIT
                                                                 : DEP_CARRIED;
        dep_add(p, status, a, b, answer, NULL);
    }
}

/*
 * Two classes of one object. Unordered loops: one dependence stands for both orders, the write is
 * the source. Ordered ones: each order of the two accesses is a dependence of its own.
 */
static void pair(struct pairs *p, const struct class *x, const struct class *y, bool relaxed) {
    bool swap = !x->first->write;
    directed(p, swap ? y : x, swap ? x : y, relaxed);
    if (!p->unordered && x != y)
        directed(p, swap ? x : y, swap ? y : x, relaxed);
}

static void all_pairs(struct pairs *p, const struct object *object) {
    const struct object_classes *of = &p->objects[object->id];
    bool relaxed = depend_is_relaxed(p->facts, object);
    for (int i = 0; i < of->count; ++i) {
        for (int j = i; j < of->count; ++j)
            if (of->items[i].first->write || of->items[j].first->write)
                pair(p, &of->items[i], &of->items[j], relaxed);
    }
}

/* Does some key keep all of them in one iteration's neighbourhood? Then no fact is needed. */
static bool is_covered_by_key(const struct pairs *p, const struct access_deps *deps) {
    for (int s = 0; s < p->facts->nsymbols; ++s) {
        bool all = true;
        for (int i = 0; i < deps->count && all; ++i) {
            const struct access_dep *dep = &deps->items[i];
            all = dep->status == DEP_REFUTED ||
                  (dep->answer && dep->answer->deltas && entry_is_zero(dep->answer->deltas[s]));
        }
        if (all)
            return true;
    }
    return false;
}

static const struct access *writer_of(const struct object_classes *of);

/* No two iterations share an element, as the run checks or the user asserts. */
static void apart_add(struct pairs *p, struct object *object) {
    const struct intervals *intervals = object->intervals;
    const struct access *writer = writer_of(&p->objects[object->id]);
    struct guard guard = {.kind = GUARD_APART,
                          .a = object,
                          .text = intervals->text,
                          .intervals = intervals,
                          .assumed = intervals->assumed};
    if (!intervals->proved)
        ARENA_PUSH(p->arena, p->facts->guards, p->facts->nguards, guard);
    object->apart = true;
    dep_add(p, DEP_REFUTED, writer, writer, NULL,
            arena_printf(p->arena, "%s: %s", intervals->text,
                         intervals->assumed ? "assumed" : "a guard of the loop"));
}

static void object_pairs(struct pairs *p, const struct object *object) {
    struct access_deps *all = p->deps, own = {0};
    if (!object->intervals || depend_is_relaxed(p->facts, object)) {
        all_pairs(p, object);
        return;
    }
    p->deps = &own;
    all_pairs(p, object);
    p->deps = all;
    if (object->intervals->assumed || !is_covered_by_key(p, &own)) {
        apart_add(p, (struct object *)object);
        return;
    }
    for (int i = 0; i < own.count; ++i)
        ARENA_PUSH(p->arena, all->items, all->count, own.items[i]);
}

/* The first class that writes, or the first at all. */
static const struct access *writer_of(const struct object_classes *of) {
    for (int i = 0; i < of->count; ++i)
        if (of->items[i].first->write)
            return of->items[i].first;
    return of->items[0].first;
}

/* The object is private: one line says so. */
static bool removed(struct pairs *p, const struct object *object) {
    const struct access *writer = writer_of(&p->objects[object->id]);
    if (!writer->write || !depend_is_private(p->facts, object))
        return false;
    dep_add(p, DEP_PRIVATE, writer, writer, NULL, "written before it is read in every iteration");
    return true;
}

/* No key keeps the iterations apart that meet through this dependence. */
static bool is_everywhere(const struct pairs *p, const struct access_dep *dep) {
    if (!dep_status_holds(dep->status))
        return false;
    for (int s = 0; dep->answer && s < p->facts->nsymbols; ++s)
        if (dep->answer->verdict == PAIR_CONFLICT && entry_is_zero(dep->answer->deltas[s]))
            return false;
    return true;
}

/*
 * An object that iterations meet through whatever their keys are: nothing is carried when each of
 * them writes what it reads.
 */
static void ordinary_pairs(struct pairs *p, struct object *object) {
    struct access_deps *all = p->deps, own = {0};
    const struct access *writer = writer_of(&p->objects[object->id]);
    bool everywhere = false;
    p->deps = &own;
    object_pairs(p, object);
    p->deps = all;
    for (int i = 0; i < own.count; ++i)
        everywhere = everywhere || is_everywhere(p, &own.items[i]);
    if (everywhere && facts_privatize(p->facts, object)) {
        dep_add(p, DEP_PRIVATE, writer, writer, NULL,
                "written before it is read in every iteration");
        return;
    }
    for (int i = 0; i < own.count; ++i)
        ARENA_PUSH(p->arena, all->items, all->count, own.items[i]);
}

/*
 * A reduction. Where its accesses, taken as ordinary ones, cost the loop nothing, they are ordinary
 * ones from here on: elements in place are cheaper than copies of the array, and have the serial
 * bits. What else the loop conflicts through has been found before. What the user relaxed keeps its
 * dependences, as such.
 */
static void reduction_pairs(struct pairs *p, const struct object *object) {
    struct access_deps *all = p->deps, own = {0};
    const struct access *writer = writer_of(&p->objects[object->id]);
    p->deps = &own;
    object_pairs(p, object);
    p->deps = all;
    bool relaxed = depend_is_relaxed(p->facts, object);
    if (relaxed || !depend_needs_reduction(p->facts, object, &own, all)) {
        if (!relaxed)
            depend_drop_reduction(p->facts, object);
        for (int i = 0; i < own.count; ++i)
            ARENA_PUSH(p->arena, all->items, all->count, own.items[i]);
    } else {
        dep_add(p, DEP_REDUCTION, writer, writer, NULL, "only ever combined by one operator");
    }
}

/* ---- objects that may overlap ---------------------------------------------------------------- */

static void alias_pair(struct pairs *p, struct object *x, struct object *y) {
    const struct access *a = writer_of(&p->objects[x->id]), *b = writer_of(&p->objects[y->id]);
    if (!a->write && !b->write)
        return;
    const struct access *source = a->write ? a : b, *sink = a->write ? b : a;
    int guard = -1;
    switch (facts_alias(p->facts, y, x, &guard)) {
    case ALIAS_NO:
        return;
    case ALIAS_GUARDED:
        dep_add(p, DEP_REFUTED, source, sink, NULL,
                arena_printf(p->arena, "%s and %s do not overlap: a guard of the loop", x->name,
                             y->name));
        return;
    case ALIAS_MAY:
        dep_add(p, DEP_CARRIED, source, sink, NULL, NULL);
    }
}

static bool takes_part(const struct pairs *p, const struct object *object) {
    return p->objects[object->id].count > 0 && object->kind != OBJECT_HIDDEN &&
           !depend_is_private(p->facts, object);
}

/* Too many objects to hold against each other: any two of them may overlap, as far as is known. */
static void alias_limit(struct pairs *p) {
    for (int i = 0; i < p->facts->nobjects; ++i) {
        const struct object *object = p->facts->objects[i];
        if (takes_part(p, object) && writer_of(&p->objects[i])->write) {
            const struct access *writer = writer_of(&p->objects[i]);
            dep_add(p, DEP_LIMIT, writer, writer, NULL, NULL);
            return;
        }
    }
}

static void alias_pairs(struct pairs *p) {
    if (p->facts->nobjects > DEPEND_OBJECTS) {
        alias_limit(p);
        return;
    }
    for (int i = 0; i < p->facts->nobjects; ++i) {
        for (int j = i + 1; takes_part(p, p->facts->objects[i]) && j < p->facts->nobjects; ++j)
            if (takes_part(p, p->facts->objects[j]))
                alias_pair(p, p->facts->objects[i], p->facts->objects[j]);
    }
}

static void seen_drop(void *data) {
    struct pairs *p = data;
    HASH_CLEAR(hh, p->seen);
}

void depend_pairs(struct loop_facts *facts, bool unordered, struct access_deps *deps) {
    struct pairs p = {.arena = facts->unit->arena, .facts = facts, .unordered = unordered};
    p.deps = deps;
    p.solver = depend_solver_new(facts, unordered);
    classes_fill(&p);
    budget_remember(seen_drop, &p);
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *object = facts->objects[i];
        if (p.objects[i].count > 0 && !depend_is_reduction(facts, object)) {
            depend_drop_reduction(facts, object);
            if (!removed(&p, object))
                ordinary_pairs(&p, object);
        }
    }
    for (int i = 0; i < facts->nobjects; ++i)
        if (p.objects[i].count > 0 && depend_is_reduction(facts, facts->objects[i]))
            reduction_pairs(&p, facts->objects[i]);
    alias_pairs(&p);
    depend_solver_free(p.solver);
    budget_forget(&p);
    seen_drop(&p);
}
