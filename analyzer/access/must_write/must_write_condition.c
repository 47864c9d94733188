/* Under which conditions a question's touches are executed. */
#include "analyzer/access/must_write/must_write_private.h"

/* The comparison as a row; false when it is none of affine values. */
static bool comparison_row(struct question *q, struct way *way, int at, struct linear_row *row) {
    const struct ref *ref = way ? way->ref : q->ref;
    const struct condition *c = &ref->conditions[at];
    const struct affine *compared = located(q->t, ref)->compared[at];
    const struct value *v = c->value;
    static const enum op negated[] = {[OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE,
                                      [OP_LE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    if (!compared)
        return false;
    enum op op = c->sense ? v->relation : negated[v->relation];
    int sign = op == OP_LT || op == OP_LE ? -1 : 1;
    *row = (struct linear_row){.equality = op == OP_EQ};
    row->form.constant = op == OP_LT || op == OP_GT ? -1 : 0;
    return op != OP_NE && must_write_add_affine(q, way, &row->form, compared, sign);
}

static bool same_decision(const struct value *a, const struct value *b) {
    return a == b || (a->pure && b->pure && a->level == b->level && expr_equal(a->pure, b->pure));
}

static int decision_var(struct question *q, const struct value *value) {
    for (int i = 0; i < q->ndecisions; ++i)
        if (same_decision(q->decisions[i].value, value))
            return q->decisions[i].var;
    struct decision made = {value, must_write_fresh(q)};
    ARENA_PUSH(q->arena, q->decisions, q->ndecisions, made);
    must_write_add_range(q, &q->outer, made.var, 0, 1);
    return made.var;
}

static void add_decision(struct question *q, struct linear_system *system,
                         const struct condition *c) {
    struct linear_form form = {.constant = c->sense ? -1 : 0};
    linear_form_add(q->arena, &form, decision_var(q, c->value), 1);
    linear_system_add(q->arena, system, true, form);
}

/* Conditions of the touch in question only make it smaller: those that are not known are left. */
void must_write_add_own_conditions(struct question *q) {
    for (int i = 0; i < q->ref->nconditions; ++i) {
        const struct condition *c = &q->ref->conditions[i];
        struct linear_row row;
        if (comparison_row(q, NULL, i, &row))
            linear_system_add(q->arena, &q->outer, row.equality, row.form);
        if (!c->trip)
            add_decision(q, &q->outer, c);
    }
}

/* Was it decided for the write just as it was for the touch in question? */
static bool is_one_decision(const struct way *way, const struct condition *c) {
    int level = c->value->pure ? c->value->level : 1;
    if (way->q->when == MUST_WRITE_ALWAYS)
        return level < 0;
    return level <= 0 || c->depth <= way->fixed;
}

/* A loop that may be left early does not get to its later rounds. */
static bool may_be_left(const struct way *way, const struct condition *c) {
    return way->q->when == MUST_WRITE_AFTER && way->fixed < way->ref->nloops &&
           c->depth == way->fixed && !c->value->pure;
}

bool must_write_add_way_conditions(struct way *way) {
    for (int i = 0; i < way->ref->nconditions; ++i) {
        const struct condition *c = &way->ref->conditions[i];
        struct linear_row row;
        if (c->trip)
            continue;
        if (may_be_left(way, c))
            return false;
        if (comparison_row(way->q, way, i, &row))
            linear_system_add(way->q->arena, &way->system, row.equality, row.form);
        else if (is_one_decision(way, c))
            add_decision(way->q, &way->system, c);
        else
            return false;
    }
    return true;
}
