/*
 * Is a relaxed object a sum: only ever changed by amounts that do not depend on what the loop
 * relaxes? A forward data and control dependence analysis of the body's text, without order:
 * variables and objects that relaxed values reach. What it cannot read depends.
 */
#include "analyzer/access/reductions/relax.h"

#include <string.h>

struct flow {
    const struct trace *t;           /* the loop's */
    const struct object *object;     /* whose updates are looked at */
    int nreached, nobjects;          /* of `reached`, of `objects` */
    const struct variable **reached; /* variables that relaxed values reach */
    const struct object **objects;   /* objects that they reach, relaxed ones among them */
    bool judges;                     /* all that is reached is known: look at updates */
    bool depends;                    /* whether the statement is executed does */
    bool sum;                        /* no update was found that depends */
};

/* ---- what is reached ---- */

static bool is_relaxed(const struct trace *t, const struct object *object) {
    const struct pragma *pragma = t->loop->pragma;
    for (int c = 0; c < pragma->nclauses; ++c)
        for (int n = 0; pragma->clauses[c].kind == CLAUSE_RELAX && n < pragma->clauses[c].nnames;
             ++n)
            if (object->name && strcmp(object->name, pragma->clauses[c].names[n]) == 0)
                return true;
    return false;
}

static bool is_reached(const struct flow *flow, const struct variable *var) {
    for (int i = 0; i < flow->nreached; ++i)
        if (flow->reached[i] == var)
            return true;
    return false;
}

static bool object_is_reached(const struct flow *flow, const struct object *object) {
    for (int i = 0; i < flow->nobjects; ++i)
        if (flow->objects[i] == object)
            return true;
    return false;
}

/* Does the text `e` read, itself or by what it calls, what is reached? */
static bool reads_reached(const struct flow *flow, const struct expr *e) {
    const struct trace *t = flow->t;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct located *place = located(t, ref);
        if (!ref->write && (ref->via ? ref->via : ref->expr) == e && place->object &&
            object_is_reached(flow, place->object) &&
            !(place->reduction == REDUCE_ADD && is_relaxed(t, place->object)))
            return true;
    }
    return false;
}

static bool is_dependent(const void *flow, const struct expr *e) {
    return e->kind == EXPR_UNKNOWN || (e->kind == EXPR_VAR && is_reached(flow, e->var)) ||
           reads_reached(flow, e);
}

static bool depends(const struct flow *flow, struct expr *e) {
    return flow->depends || expr_any(e, is_dependent, flow);
}

/* ---- what reaches further ---- */

/* The first variable of an lvalue or address. */
static const struct variable *root_of(const struct expr *e) {
    while (e && e->kind != EXPR_VAR)
        e = e->nargs > 0 ? e->args[e->kind == EXPR_CAST ? e->nargs - 1 : 0] : NULL;
    return e ? e->var : NULL;
}

static void objects_reach(struct flow *flow, const struct expr *e) {
    const struct trace *t = flow->t;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct object *object = located(t, ref)->object;
        if (ref->write && (ref->via ? ref->via : ref->expr) == e && object &&
            !object_is_reached(flow, object))
            ARENA_PUSH(t->arena, flow->objects, flow->nobjects, object);
    }
}

static void reach(struct flow *flow, const struct variable *var) {
    if (var && !is_reached(flow, var))
        ARENA_PUSH(flow->t->arena, flow->reached, flow->nreached, var);
}

/* Is it the left side of an update of the object? */
static bool is_update(const struct flow *flow, const struct expr *lvalue) {
    for (int i = 0; i < flow->t->nrefs; ++i)
        if (flow->t->refs[i].write && flow->t->refs[i].expr == lvalue &&
            located(flow->t, &flow->t->refs[i])->object == flow->object)
            return true;
    return false;
}

static void see_set(void *data, struct expr *e) {
    struct flow *flow = data;
    bool sets = e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT;
    if (!sets && e->kind != EXPR_CALL)
        return;
    if (!depends(flow, e->kind == EXPR_ASSIGN ? e->args[1] : sets ? NULL : e))
        return;
    if (flow->judges && sets && is_update(flow, e->args[0]))
        flow->sum = false;
    objects_reach(flow, sets ? e->args[0] : e);
    if (sets && lvalue_variable(e->args[0]))
        reach(flow, lvalue_variable(e->args[0]));
    for (int i = 0; e->kind == EXPR_CALL && i < e->nargs; ++i)
        if (e->args[i]->kind == EXPR_ADDRESS)
            reach(flow, root_of(e->args[i]));
}

/* ---- statements ---- */

static bool go(struct flow *flow, struct stmt *s);

static bool go_block(struct flow *flow, struct stmt *s) {
    bool outside = flow->depends, left = false;
    for (int i = 0; i < s->nbody; ++i) {
        left = go(flow, s->body[i]) || left;
        flow->depends = outside || left;
    }
    flow->depends = outside;
    return left;
}

static bool go_under(struct flow *flow, struct expr *condition, struct stmt *a, struct stmt *b) {
    bool outside = flow->depends, left = false;
    if (condition)
        expr_visit(condition, see_set, flow);
    flow->depends = depends(flow, condition);
    left = a && go(flow, a);
    left = (b && go(flow, b)) || left;
    flow->depends = outside;
    return left;
}

static bool is_leaving(const void *data, const struct stmt *s) {
    (void)data;
    return s->kind == STMT_RETURN || s->kind == STMT_GOTO;
}

/* A round that may be left depends, and so do those after it; behind the loop only what a `return`
 * or `goto` leaves. */
static bool go_loop(struct flow *flow, struct stmt *s) {
    bool outside = flow->depends, leaves = false;
    if (s->loop->init)
        go(flow, s->loop->init);
    if (go_under(flow, s->loop->cond, s->loop->body, NULL)) {
        flow->depends = true;
        go_under(flow, s->loop->cond, s->loop->body, NULL);
        leaves = stmt_any(s->loop->body, is_leaving, NULL);
    }
    if (s->loop->next)
        expr_visit(s->loop->next, see_set, flow);
    flow->depends = outside;
    return leaves;
}

static void go_declared(struct flow *flow, struct stmt *s) {
    for (int i = 0; i < s->nvars; ++i) {
        if (!s->vars[i]->init)
            continue;
        expr_visit(s->vars[i]->init, see_set, flow);
        if (depends(flow, s->vars[i]->init))
            reach(flow, s->vars[i]);
    }
}

/* True: what follows in the block is executed or not by what depends. */
static bool go(struct flow *flow, struct stmt *s) {
    switch (s->kind) {
    case STMT_BLOCK:
        return go_block(flow, s);
    case STMT_FOR:
    case STMT_WHILE:
    case STMT_DO:
        return go_loop(flow, s);
    case STMT_IF:
    case STMT_SWITCH:
        return go_under(flow, s->expr, s->then, s->other);
    case STMT_CASE:
    case STMT_LABEL:
        return s->then && go(flow, s->then);
    case STMT_DECL:
        go_declared(flow, s);
        return false;
    case STMT_EXPR:
        expr_visit(s->expr, see_set, flow);
        return false;
    case STMT_EMPTY:
        return false;
    case STMT_UNKNOWN:
        flow->sum = false;
        return false;
    default:
        return flow->depends;
    }
}

/* ---- the object ---- */

static bool is_in_body(const struct ref *ref) {
    return ref->expr && !ref->in_callee && !ref->via && !ref->called;
}

/* Only added to, in the body's text. `read`: otherwise than by that. */
static bool is_added_to(const struct trace *t, const struct object *object, bool *read) {
    *read = false;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        bool adds = located(t, ref)->reduction == REDUCE_ADD;
        if (located(t, ref)->object != object)
            continue;
        if (ref->write && (!adds || !is_in_body(ref)))
            return false;
        *read = *read || !adds;
    }
    return true;
}

bool relax_is_sum(const struct trace *t, const struct object *object) {
    struct flow flow = {.t = t, .object = object, .sum = true};
    bool read;
    if (!is_added_to(t, object, &read))
        return false;
    if (!read)
        return true;
    for (int i = 0; i < t->facts->nobjects; ++i)
        if (is_relaxed(t, t->facts->objects[i]))
            ARENA_PUSH(t->arena, flow.objects, flow.nobjects, t->facts->objects[i]);
    for (int before = -1; before < flow.nreached + flow.nobjects;) {
        before = flow.nreached + flow.nobjects;
        go(&flow, t->loop->body);
    }
    flow.judges = true;
    go(&flow, t->loop->body);
    return flow.sum;
}
