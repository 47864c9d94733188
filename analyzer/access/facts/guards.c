/* Which objects the run has to hold against each other, and what of the loop's header it checks. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

static bool names_both(const struct clause *clause, const char *a, const char *b) {
    bool has_a = false, has_b = false;
    for (int i = 1; i < clause->nnames; ++i) {
        has_a = has_a || strcmp(clause->names[i], a) == 0;
        has_b = has_b || strcmp(clause->names[i], b) == 0;
    }
    return has_a && has_b;
}

static bool is_assumed_apart(const struct loop *loop, const char *a, const char *b) {
    for (int i = 0; loop->pragma && i < loop->pragma->nclauses; ++i) {
        const struct clause *clause = &loop->pragma->clauses[i];
        if (clause->kind == CLAUSE_ASSUME && clause->nnames > 1 &&
            strcmp(clause->names[0], "noalias") == 0 && names_both(clause, a, b)) {
            return true;
        }
    }
    return false;
}

enum alias facts_alias(struct loop_facts *facts, const struct object *a, const struct object *b,
                       int *guard) {
    enum alias alias = alias_objects(facts, a, b);
    if (alias == ALIAS_GUARDED) {
        struct arena *arena = facts->unit->arena;
        const char *text = arena_printf(arena, "%s and %s do not overlap", object_words(arena, a),
                                        object_words(arena, b));
        bool assumed = is_assumed_apart(facts->loop, a->name, b->name);
        int at = guard_add(facts, GUARD_NO_OVERLAP, (struct object *)a, (struct object *)b, assumed,
                           text);
        if (guard)
            *guard = at;
    }
    return alias;
}

static bool is_folded(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object == object)
            return true;
    return false;
}

/* The run holds the bytes that are used of two objects against each other. */
static void tell_fronts(const struct trace *t) {
    const struct loop_facts *facts = t->facts;
    bool *told = arena_alloc(t->arena, (size_t)(facts->nobjects + 1) * sizeof *told);
    for (int i = 0; i < facts->nguards; ++i) {
        struct object *pair[] = {facts->guards[i].a, facts->guards[i].b};
        for (int k = 0; k < 2 && facts->guards[i].kind == GUARD_NO_OVERLAP; ++k) {
            if (!told[pair[k]->id]) {
                told[pair[k]->id] = true;
                pair[k]->in_front = object_reaches_front(t, pair[k]);
            }
        }
    }
}

void facts_guards(const struct trace *t) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nobjects; ++i) {
        struct object *a = facts->objects[i];
        if (a->kind == OBJECT_ROWS && a->written && !is_folded(facts, a)) {
            guard_add(facts, GUARD_ROWS_DISJOINT, a, NULL, false,
                      arena_printf(t->arena, "%s do not overlap", object_words(t->arena, a)));
        }
        for (int j = 0; j < i; ++j) {
            struct object *b = facts->objects[j];
            if (a->written || b->written)
                facts_alias(facts, a, b, NULL);
        }
    }
    tell_fronts(t);
}

/* That it says at least as much of the loop. */
static bool is_guarded(const struct loop_facts *facts, const char *text,
                       const struct demand *demand) {
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        if (guard->kind == GUARD_CONDITION && strcmp(guard->text, text) == 0 &&
            facts_implies(demand->when, guard->when) && (guard->serial || !demand->serial)) {
            return true;
        }
    }
    return false;
}

static void demand_positive(struct interp *w, struct expr *e) {
    if (e && w->loop->canonical) {
        interp_demand(w, expr_binary(w->arena, OP_GE, expr_cast(w->arena, type_long(), e),
                                     expr_integer(w->arena, 1)));
    }
}

/* The bound that leaves the variable inside its type, and what it is when it does not. */
static void guard_limit(struct interp *w) {
    const struct loop *loop = w->loop;
    if (!loop->canonical || !loop->limited)
        return;
    struct expr *condition = expr_binary(w->arena, loop->step > 0 ? OP_LE : OP_GE, loop->upper,
                                         expr_integer(w->arena, loop->limit));
    const char *text = expr_print(w->arena, condition);
    interp_demand(w, condition);
    const struct demand always = {condition, NULL, NULL};
    if (!is_guarded(w->facts, text, &always)) {
        guard_add(w->facts, GUARD_CONDITION, NULL, NULL, false, text);
        struct guard *guard = &w->facts->guards[w->facts->nguards - 1];
        ARENA_PUSH(w->arena, guard->shown, guard->nshown, expr_print(w->arena, loop->upper));
    }
}

void header_guards(struct interp *w) {
    const struct loop *loop = w->loop;
    demand_positive(w, loop->stride);
    demand_positive(w, loop->positive);
    guard_limit(w);
    for (int i = 0; i < w->trace.ndemands; ++i) {
        const struct demand *demand = &w->trace.demands[i];
        const char *text = expr_print(w->arena, demand->condition);
        int before = w->facts->nguards;
        if (!is_guarded(w->facts, text, demand)) {
            int at = guard_add(w->facts, GUARD_CONDITION, NULL, NULL, false, text);
            guard_needed(&w->trace, at, at == before, demand->when);
            if (demand->serial)
                w->facts->guards[at].serial = demand->serial;
        }
    }
}
