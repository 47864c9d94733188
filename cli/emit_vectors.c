/* Which iterations may meet, and what the run would check, in the table of a loop. */
#include "cli/emit_accesses.h"

#include <string.h>

/* ---- vectors --------------------------------------------------------------------------------- */

/* Which of the keys that iterations tell a dim is; -1: the loop's variable, -2: a key not told. */
static int told_as(const struct marked_loop *marked, const struct analysis *analysis, int dim) {
    if (analysis->dims[dim].kind == DIM_VARIABLE)
        return -1;
    for (int k = 0; k < marked->nkeys; ++k)
        if (marked->keys[k] == dim)
            return k;
    return -2;
}

static json_t *dims_json(const struct marked_loop *marked, const struct analysis *analysis) {
    json_t *list = json_array();
    for (int d = 0; d < analysis->ndims; ++d)
        json_array_append_new(list, json_integer(told_as(marked, analysis, d)));
    return list;
}

/* A number, or one of "+", "-", "0+", "0-", "*". */
static json_t *entry_json(struct arena *arena, struct entry entry) {
    return entry.kind == ENTRY_NUMBER ? json_integer(entry.number)
                                      : json_string(entry_text(arena, entry));
}

static json_t *vector_json(const struct analysis *analysis, const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    const struct entry any = {ENTRY_STAR, 0};
    json_t *list = json_pack("[i, i, i]", dep->object->id, dep->sink->object->id, (int)dep->kind);
    for (int d = 0; d < analysis->ndims; ++d)
        json_array_append_new(list,
                              entry_json(arena, dep->status == DEP_LIMIT ? any : dep->vector[d]));
    return list;
}

/* [source's object, sink's object, kind (enum dep_kind), an entry per dim]. */
static json_t *vectors_json(const struct analysis *analysis) {
    json_t *list = json_array();
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_status_holds(analysis->deps[i].status))
            json_array_append_new(list, vector_json(analysis, &analysis->deps[i]));
    return list;
}

/* ---- keys of one table ----------------------------------------------------------------------- */

/* The told key that subscript `d` is, the constant beside it apart; -1: it is none. */
static int key_at(const struct marked_loop *marked, const struct analysis *analysis,
                  const struct access *a, int d) {
    const struct subscript *sub = &a->subs[d];
    if (!sub->known || sub->value.nterms != 1 || sub->value.terms[0].coeff != 1)
        return -1;
    for (int k = 0; k < marked->nkeys; ++k)
        if (analysis->dims[marked->keys[k]].symbol == sub->value.terms[0].symbol)
            return k;
    return -1;
}

/* Iterations meet through `a` and `b` only where key *x of one is key *y of the other. */
static bool keys_meet(const struct marked_loop *marked, const struct analysis *analysis,
                      const struct access *a, const struct access *b, int *x, int *y) {
    for (int d = 0; d < a->nsubs && d < b->nsubs; ++d) {
        *x = key_at(marked, analysis, a, d);
        *y = key_at(marked, analysis, b, d);
        if (*x >= 0 && *y >= 0 && a->subs[d].value.constant == b->subs[d].value.constant)
            return true;
    }
    return false;
}

/* [key, key] of two iterations, of which one pair is equal wherever they meet in the object; NULL:
 * that is not so, or not known. */
static json_t *crossing_json(const struct marked_loop *marked, const struct analysis *analysis,
                             const struct object *object) {
    enum { MOST = 128 };
    const struct loop_facts *facts = analysis->facts;
    json_t *list = json_array();
    bool good = facts->naccesses <= MOST && marked->nkeys > 0;
    for (int i = 0; good && i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int j = i; a->object == object && good && j < facts->naccesses; ++j) {
            const struct access *b = &facts->accesses[j];
            int x, y;
            if (b->object != object || (!a->write && !b->write) || !access_bytes_meet(a, b))
                continue;
            good = keys_meet(marked, analysis, a, b, &x, &y);
            if (good)
                json_array_append_new(list, json_pack("[i, i]", x, y));
        }
    }
    if (good && json_array_size(list) > 0)
        return list;
    json_decref(list);
    return NULL;
}

/* [object, [key, key] ...]. */
static json_t *crossings_json(const struct marked_loop *marked, const struct analysis *analysis) {
    json_t *list = json_array();
    for (int i = 0; i < analysis->facts->nobjects; ++i) {
        json_t *pairs = crossing_json(marked, analysis, analysis->facts->objects[i]);
        if (pairs)
            json_array_append_new(list, json_pack("[i, o]", i, pairs));
    }
    return list;
}

/* ---- checks of the run ----------------------------------------------------------------------- */

/* It speaks of two objects, not of the iterations that meet in one. */
static bool is_between(const struct guard *guard) {
    return guard->b && (guard->kind == GUARD_NO_OVERLAP || guard->kind == GUARD_TABLES);
}

/* A condition in C that the run looks at. */
static bool is_looked_at(const struct guard *guard) {
    return !guard->assumed && (guard->kind == GUARD_CONDITION || guard->kind == GUARD_KEY_RANGE);
}

/* One that the marks of the iterations ask. */
static bool is_told(const struct marked_loop *marked, const struct guard *guard) {
    return marked->asks && is_looked_at(guard);
}

/* On values of an index, or that no iteration does what would meet. */
static bool is_of_all(const struct loop_facts *facts, const struct guard *guard) {
    return guard->kind == GUARD_MONOTONE || guard->kind == GUARD_INJECTIVE ||
           guard->kind == GUARD_EMPTY || (guard->kind == GUARD_CONDITION && facts->given);
}

/* [object or -1 for all, the other object, is it told?]. */
static json_t *checks_json(const struct marked_loop *marked, const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        bool all = is_of_all(facts, guard) || (!guard->a && is_looked_at(guard));
        if (!guard->a && !all)
            continue;
        int a = all ? -1 : guard->a->id, b = is_between(guard) ? guard->b->id : a;
        json_array_append_new(list, json_pack("[i, i, b]", a, b, (int)is_told(marked, guard)));
    }
    return list;
}

void emit_vectors_add(json_t *loop, const struct plan *plan, const struct marked_loop *marked) {
    const struct analysis *analysis = plan->analysis;
    json_object_set_new(loop, "dims", dims_json(marked, analysis));
    json_object_set_new(loop, "vectors", vectors_json(analysis));
    json_object_set_new(loop, "crossings", crossings_json(marked, analysis));
    json_object_set_new(loop, "checks", checks_json(marked, analysis->facts));
}
