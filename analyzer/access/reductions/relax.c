/*
 * relax(x) and buffer(x : fn): the objects that the user lets iterations see late. Each becomes a
 * reduction of its own kind, of which workers have copies (docs/relaxed.md).
 */
#include "analyzer/access/reductions/relax.h"

#include <string.h>

/* ---- the object ------------------------------------------------------------------------------ */

static struct object *object_named(const struct trace *t, const char *name) {
    struct object *found = NULL;
    for (int i = 0; i < t->facts->nobjects; ++i) {
        struct object *object = t->facts->objects[i];
        bool better = !found || (object->written && !found->written);
        if (strcmp(object->name, name) == 0 && better)
            found = object;
    }
    return found;
}

/* A scalar that every iteration sets before it reads it is private. */
static bool is_carried(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && (!ref->scalar || (!ref->write && ref->exposed)))
            return true;
    }
    return false;
}

static struct reduction *reduction_of(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->facts->nreductions; ++i)
        if (t->facts->reductions[i].object == object)
            return &t->facts->reductions[i];
    return NULL;
}

/* ---- can it be copied? ----------------------------------------------------------------------- */

/* Why workers cannot have copies of the object, at *where; NULL: they can. */
static const char *shape_problem(const struct trace *t, const struct object *object,
                                 const struct type **type, struct range *where) {
    *type = NULL;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object != object)
            continue;
        *where = ref_place(ref);
        if (object->kind == OBJECT_ROWS)
            return "its rows lie apart: allocate them in one piece, `x[i * n + j]`";
        if (!type_is_number(ref->type))
            return "its elements are not numbers: give each member an array of its own";
        if (*type && !type_is_alike(*type, ref->type))
            return "it is reached as elements of more than one type";
        *type = ref->type;
    }
    bool known = object->kind == OBJECT_SCALAR || object->kind == OBJECT_ARRAY ||
                 object->kind == OBJECT_POINTER;
    if (!known)
        return "what it points to is not known";
    return object->kind == OBJECT_SCALAR || type_is_alike(object->element, *type)
               ? NULL
               : "its elements have other members, too: give each member an array of its own";
}

static void refuse_shape(const struct trace *t, const struct clause *clause, const char *name,
                         struct range where, const char *why) {
    interp_refuse(t, ORR3131, where, "copy it into an array of numbers, or remove the clause",
                  "%s: workers cannot have copies of `%s`: %s",
                  clause->kind == CLAUSE_RELAX ? "relax" : "buffer", name, why);
}

/* ---- where the writes stand ------------------------------------------------------------------ */

/* The same element in every iteration, whatever the data are. */
static bool is_fixed(const struct located *place) {
    for (int d = 0; d < place->nsubs; ++d) {
        for (int i = 0; place->subs[d].known && i < place->subs[d].value.nterms; ++i)
            if (place->subs[d].value.terms[i].symbol->kind != SYMBOL_PARAM)
                return false;
        if (!place->subs[d].known)
            return false;
    }
    return true;
}

/* Which elements it is only the data can tell: few of many, as a rule. */
static bool is_chosen_by_data(const struct located *place) {
    for (int d = 0; d < place->nsubs; ++d) {
        for (int i = 0; place->subs[d].known && i < place->subs[d].value.nterms; ++i)
            if (place->subs[d].value.terms[i].symbol->kind == SYMBOL_KEY)
                return true;
    }
    return false;
}

static bool is_in_text(const struct trace *t, const struct ref *ref) {
    const struct range *body = &t->loop->body->range, *range = &ref->expr->range;
    return !ref->in_callee && !ref->via && range->exact && !range->in_macro &&
           range->begin.file == body->begin.file && range->begin.offset >= body->begin.offset &&
           range->end.offset <= body->end.offset;
}

static bool marks_help(const struct trace *t, const struct object *object) {
    bool chosen = false;
    for (int i = 0; object->kind != OBJECT_SCALAR && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && ref->write) {
            chosen = chosen || is_chosen_by_data(located(t, ref));
            if (!is_in_text(t, ref))
                return false;
        }
    }
    return chosen;
}

/* Every access stands in the body's text, where another address can be handed to it. */
static bool is_all_in_text(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && !is_in_text(t, &t->refs[i]))
            return false;
    return true;
}

/* ---- recurrences: nobody may get the same numbers -------------------------------------------- */

static const char GENERATOR[] =
    "draw from orrery_random(seed, n) with the loop's variable as n (orrery.h); or, where it is an "
    "amount, change it by `+=` and `-=` only";

/* A write that is no addition of something else, which a sum of differences would not stand for. */
static const struct ref *first_recurrence(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        bool number = located(t, ref)->object == object && ref->write &&
                      located(t, ref)->reduction != REDUCE_ADD;
        if (number && (ref->type->kind == TYPE_INT || is_fixed(located(t, ref))))
            return ref;
    }
    return NULL;
}

/* A whole number that all iterations count with: read for anything but a real quantity it may be a
 * generator's state. */
static const struct ref *first_drawn(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object == object && !ref->write &&
            located(t, ref)->reduction != REDUCE_ADD && ref->type->kind == TYPE_INT &&
            is_fixed(located(t, ref)) && !relax_is_quantity(t, ref->expr))
            return ref;
    }
    return NULL;
}

static bool refuse_generator(const struct trace *t, const struct object *object) {
    const struct ref *ref = first_recurrence(t, object), *drawn = first_drawn(t, object);
    if (ref) {
        interp_refuse(
            t, ORR3130, ref_place(ref), GENERATOR,
            "relax(%s) would give workers the same numbers: `%s` is made of its own value "
            "before, or set anew, and is not only added to",
            object->name, ref->expr ? expr_print(t->arena, ref->expr) : object->name);
    } else if (drawn) {
        interp_refuse(
            t, ORR3130, ref_place(drawn), GENERATOR,
            "relax(%s) would give workers the same numbers: every worker would count with "
            "`%s` from the same start",
            object->name, expr_print(t->arena, drawn->expr));
    }
    return ref || drawn;
}

/* ---- buffers --------------------------------------------------------------------------------- */

/* An update is a statement, so that its text can be led to the buffer. */
static bool refuse_updates(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object != object || !ref->write)
            continue;
        const struct expr *update = relax_update_of(t, ref->expr);
        if (!is_in_text(t, ref) || !update) {
            interp_refuse(t, ORR3132, ref_place(ref),
                          "write `x[e] += u;` or `x[e] -= u;` in the loop's own body",
                          "buffer(%s): `%s` is changed otherwise than by `+=` or `-=` in the body",
                          object->name, ref->expr ? expr_print(t->arena, ref->expr) : object->name);
            return true;
        }
    }
    return false;
}

/* ---- the clauses ----------------------------------------------------------------------------- */

static struct range range_of(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object == object && t->refs[i].write)
            return ref_place(&t->refs[i]);
    return t->loop->header;
}

static void add(const struct trace *t, struct object *object, struct reduction made) {
    struct loop_facts *facts = t->facts;
    struct reduction *old = reduction_of(t, object);
    made.object = object;
    made.asserted = true;
    made.range = range_of(t, object);
    made.marked = marks_help(t, object);
    made.apart = made.marked && is_all_in_text(t, object);
    if (old) {
        *old = made;
        return;
    }
    ARENA_PUSH(t->arena, facts->reductions, facts->nreductions, made);
    facts_mark_accesses(t, object, facts->nreductions - 1);
}

/* Whole numbers can only be added. */
static bool refuse_rule(const struct trace *t, const struct clause *clause,
                        const struct object *object, const struct type *type) {
    bool whole = type->kind == TYPE_INT && clause->rule > RELAX_ADD;
    if (whole)
        interp_refuse(t, ORR3131, clause->range,
                      arena_printf(t->arena, "write `relax(add : %s)`", object->name),
                      "relax: `%s` has whole numbers, which a merge can only add", object->name);
    return whole;
}

static void relax(const struct trace *t, const struct clause *clause, struct object *object) {
    const struct type *type;
    struct range where;
    if (!object->written || reduction_of(t, object) || !is_carried(t, object))
        return;
    const char *why = shape_problem(t, object, &type, &where);
    if (why) {
        refuse_shape(t, clause, object->name, where, why);
    } else if (!refuse_rule(t, clause, object, type) && !refuse_generator(t, object)) {
        enum relax_rule own =
            type->kind == TYPE_INT || relax_is_sum(t, object) ? RELAX_ADD : RELAX_SCALE;
        add(t, object,
            (struct reduction){.op = REDUCE_RELAX,
                               .type = type,
                               .rule = clause->rule ? clause->rule : own,
                               .holder = reduce_holder(t, object),
                               .is_array = object->kind != OBJECT_SCALAR});
    }
}

static void buffer(const struct trace *t, const struct clause *clause, struct object *object) {
    const struct type *type;
    struct range where;
    const char *why = shape_problem(t, object, &type, &where);
    if (!why && object->kind == OBJECT_SCALAR)
        why = "it is one number: make it an array of one element";
    if (why) {
        refuse_shape(t, clause, object->name, where, why);
        return;
    }
    struct function *apply = relax_function(t, clause, object, type);
    if (apply && !refuse_updates(t, object)) {
        add(t, object,
            (struct reduction){
                .op = REDUCE_BUFFER, .type = type, .is_array = true, .apply = apply});
    }
}

static void refuse_idle(const struct trace *t, const struct clause *clause, const char *name) {
    interp_refuse(t, ORR3120, clause->range, "remove it from the clause, or correct the name",
                  "%s says nothing of this loop: it does not %s `%s`",
                  clause->kind == CLAUSE_RELAX ? "relax" : "buffer",
                  clause->kind == CLAUSE_RELAX ? "use" : "change", name);
}

static void clause_collect(const struct trace *t, const struct clause *clause) {
    int names = clause->kind == CLAUSE_RELAX ? clause->nnames : 1;
    for (int n = 0; n < names; ++n) {
        struct object *object = object_named(t, clause->names[n]);
        if (!object || !trace_touches(t, object) ||
            (clause->kind == CLAUSE_BUFFER && !object->written))
            refuse_idle(t, clause, clause->names[n]);
        else if (clause->kind == CLAUSE_RELAX)
            relax(t, clause, object);
        else
            buffer(t, clause, object);
    }
}

static bool has_merge_clause(const struct pragma *pragma) {
    for (int i = 0; i < pragma->nclauses; ++i)
        if (pragma->clauses[i].kind == CLAUSE_RELAX || pragma->clauses[i].kind == CLAUSE_BUFFER)
            return true;
    return false;
}

void relax_collect(const struct trace *t) {
    const struct pragma *pragma = t->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        if (clause->kind == CLAUSE_RELAX || clause->kind == CLAUSE_BUFFER) {
            clause_collect(t, clause);
        } else if (clause->kind == CLAUSE_SYNC && !has_merge_clause(pragma)) {
            interp_refuse(t, ORR3120, clause->range, "add relax(...) or buffer(...), or remove it",
                          "sync says nothing of this loop: there is no relax(...) or buffer(...) "
                          "whose arrays would be merged");
        }
    }
}
