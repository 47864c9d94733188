/* Under which conditions a question's touches are executed. */
#include "analyzer/access/must_write/must_write_private.h"

#include <string.h>

/* How the value compares with 0 where the condition holds. */
static enum op op_of(const struct condition *c) {
    static const enum op negated[] = {[OP_LT] = OP_GE, [OP_GE] = OP_LT, [OP_GT] = OP_LE,
                                      [OP_LE] = OP_GT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
    return c->sense ? c->value->relation : negated[c->value->relation];
}

/* The comparison as a row; false when it is none of affine values. */
static bool comparison_row(struct question *q, struct way *way, int at, struct linear_row *row) {
    const struct ref *ref = way ? way->ref : q->ref;
    const struct affine *compared = located(q->t, ref)->compared[at];
    if (!compared)
        return false;
    enum op op = op_of(&ref->conditions[at]);
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

/* The touch is never where sign * value < 0, by what is known of it so far. */
static bool is_never_below(struct question *q, const struct affine *value, int sign) {
    struct linear_system system = q->outer;
    struct linear_form below = {.constant = -1};
    if (!must_write_add_affine(q, NULL, &below, value, -sign))
        return false;
    system.rows = arena_alloc(q->arena, ((size_t)system.nrows + 1) * sizeof *system.rows);
    memcpy(system.rows, q->outer.rows, (size_t)system.nrows * sizeof *system.rows);
    system.rows[system.nrows++] = (struct linear_row){.form = below};
    system.nvars = q->nshared;
    return linear_covered(q->must_write->solver, &system, 0, NULL) == LINEAR_EMPTY;
}

/* `t != 0` is `t > 0` where t counts up from 0. */
static void add_unequal(struct question *q, int at) {
    const struct affine *value = located(q->t, q->ref)->compared[at];
    if (!value || op_of(&q->ref->conditions[at]) != OP_NE)
        return;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct linear_form form = {.constant = -1};
        if (!is_never_below(q, value, sign) || !must_write_add_affine(q, NULL, &form, value, sign))
            continue;
        linear_system_add(q->arena, &q->outer, false, form);
        return;
    }
}

/* Conditions of the touch in question only make it smaller: those that are not known are left. */
void must_write_add_own_conditions(struct question *q) {
    for (int i = 0; i < q->ref->nconditions; ++i) {
        const struct condition *c = &q->ref->conditions[i];
        struct linear_row row;
        if (comparison_row(q, NULL, i, &row))
            linear_system_add(q->arena, &q->outer, row.equality, row.form);
        else
            add_unequal(q, i);
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
