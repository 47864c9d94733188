/*
 * What folds evaluate in iterations in which the serial loop does not: every block begins as if
 * nothing had been found yet, so what stands behind `ok &&`, and what a choice sets, is evaluated
 * once more per block at least. It may be where it cannot fault.
 */
#include "analyzer/access/reductions/argmin.h"

#include "analyzer/access/fault/fault.h"

/* ---- flags: `ok = ok && E` ------------------------------------------------------------------- */

struct fold_search {
    const struct expr *lvalue, *assign;
};

static void see_fold(void *data, struct expr *e) {
    struct fold_search *search = data;
    if (e->kind == EXPR_ASSIGN && e->args[0] == search->lvalue)
        search->assign = e;
}

const struct expr *fold_assignment(const struct trace *t, const struct expr *lvalue) {
    struct fold_search search = {.lvalue = lvalue};
    stmt_visit(t->loop->body, see_fold, &search);
    for (int i = 0; i < t->unit->nfunctions && !search.assign; ++i)
        if (t->unit->functions[i]->body)
            stmt_visit(t->unit->functions[i]->body, see_fold, &search);
    return search.assign;
}

static const struct ref *read_at(const struct trace *t, const struct expr *e,
                                 const struct ref *write) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->expr == e && !ref->write && (!write || ref->via == write->via))
            return ref;
    }
    return NULL;
}

/* Where x is read among what `&&` or `||` joins; NULL: nowhere. */
static const struct expr *flag_in(const struct expr *x, const struct expr *e, enum expr_kind kind) {
    if (expr_equal(x, e))
        return e;
    const struct expr *first = e->kind == kind ? flag_in(x, e->args[0], kind) : NULL;
    return first || e->kind != kind ? first : flag_in(x, e->args[1], kind);
}

/* What behind x, among what `&&` or `||` joins, may fault; NULL: nothing. */
static const struct expr *faulty_behind(const struct trace *t, const struct expr *x,
                                        const struct expr *e, const struct ref *write) {
    if (e->kind != EXPR_AND && e->kind != EXPR_OR)
        return NULL;
    const struct expr *ahead = flag_in(x, e->args[0], e->kind);
    if (!ahead)
        return faulty_behind(t, x, e->args[1], write);
    const struct expr *within = faulty_behind(t, x, e->args[0], write);
    struct sure sure = {.at = read_at(t, ahead, write)};
    return within ? within : expr_may_fault(t, e->args[1], &sure) ? e->args[1] : NULL;
}

const struct expr *flag_speculates(const struct trace *t, const struct object *object) {
    const struct expr *found = NULL;
    for (int i = 0; i < t->nrefs && !found; ++i) {
        const struct ref *ref = &t->refs[i];
        bool flag =
            located(t, ref)->reduction >= 0 && reduction_is_logical(located(t, ref)->reduction);
        if (located(t, ref)->object == object && ref->write && flag) {
            const struct expr *assign = fold_assignment(t, ref->expr);
            bool plain = assign && assign->op == OP_NONE;
            found = plain ? faulty_behind(t, ref->expr, assign->args[1], ref) : NULL;
        }
    }
    return found;
}

struct changes {
    const struct trace *t;
    const struct object *object;
};

/* A call in the range writes memory. */
static bool calls_change(const struct trace *t, const struct range *range) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->write && ref->via && ref->address->region->kind != REGION_LOCAL &&
            range_holds(range, &ref->via->range))
            return true;
    }
    return false;
}

static bool is_change(const void *data, const struct expr *e) {
    const struct changes *changes = data;
    for (int i = 0; e->kind == EXPR_ASSIGN && i < changes->t->nrefs; ++i) {
        const struct ref *ref = &changes->t->refs[i];
        if (located(changes->t, ref)->object == changes->object && ref->write &&
            ref->expr == e->args[0])
            return calls_change(changes->t, &e->range);
    }
    return false;
}

bool flag_changes_else(const struct trace *t, const struct object *object) {
    const struct changes changes = {.t = t, .object = object};
    return stmt_any_expr(t->loop->body, is_change, &changes);
}

void flag_refuse(const struct trace *t, const struct expr *flag, const struct expr *speculated) {
    const char *name = expr_print(t->arena, flag), *text = expr_print(t->arena, speculated);
    interp_refuse(
        t, ORR2278, speculated->range,
        arena_printf(t->arena,
                     "if it is right to evaluate it in every iteration, do so first: `_Bool "
                     "each = %s;`, and fold `each` into `%s`",
                     text, name),
        "`%s` would be a reduction, but `%s` is not evaluated any more once `%s` is "
        "settled, and where that is depends on the iterations before: evaluated in others, "
        "it could end the program, or not end",
        name, text, name);
}

/* ---- choices --------------------------------------------------------------------------------- */

/* What stands behind the comparison in the condition and may fault; NULL: nothing. `seen`: the
 * comparison is in front. */
static const struct expr *faulty_condition(const struct trace *t, const struct expr *cond,
                                           const struct choosing *c, const struct sure *sure,
                                           bool *seen) {
    const struct expr *value = choosing_value(t, cond, c);
    if (value->kind == EXPR_AND) {
        const struct expr *first = faulty_condition(t, value->args[0], c, sure, seen);
        return first ? first : faulty_condition(t, value->args[1], c, sure, seen);
    }
    if (*seen)
        return expr_may_fault(t, cond, sure) ? cond : NULL;
    *seen = value->kind == EXPR_BINARY && (value->args[0] == c->mine || value->args[1] == c->mine);
    return NULL;
}

static const struct expr *faulty_value(const struct trace *t, const struct choosing *c,
                                       const struct sure *sure) {
    for (int i = 0; i < c->nsets; ++i) {
        const struct expr *value = c->sets[i]->args[1];
        bool compared = c->compared && expr_equal(value, c->compared) &&
                        type_is_alike(value->type, c->sets[i]->args[0]->type);
        if (!compared && expr_converted_may_fault(t, value, c->sets[i]->args[0]->type, sure))
            return value;
    }
    return NULL;
}

const struct expr *choosing_speculates(const struct trace *t, const struct choosing *c) {
    struct sure sure = {.at = read_at(t, c->mine, NULL), .done = c->compared};
    bool seen = false;
    const struct expr *found = faulty_condition(t, c->cond, c, &sure, &seen);
    return found ? found : faulty_value(t, c, &sure);
}
