/*
 * Memory that an iteration of the serial loop touches anyway: reading it once more, or another
 * member of the same structure, cannot fault.
 */
#include "analyzer/access/fault/fault.h"
#include "analyzer/budget.h"

/* ---- what surely happens --------------------------------------------------------------------- */

static bool is_same_condition(const struct condition *a, const struct condition *b) {
    return a->value == b->value && a->sense == b->sense && a->trip == b->trip;
}

/* Does every iteration that gets to `at` (NULL: every one) make this touch as well? */
static bool is_sure(const struct ref *ref, const struct ref *at) {
    int nloops = at ? at->nloops : 0, nconditions = at ? at->nconditions : 0;
    bool sure = !ref->header && ref->nloops <= nloops && ref->nconditions <= nconditions;
    for (int i = 0; sure && i < ref->nloops; ++i)
        sure = ref->loops[i] == at->loops[i];
    for (int i = 0; sure && i < ref->nconditions; ++i)
        sure = is_same_condition(&ref->conditions[i], &at->conditions[i]);
    return sure;
}

/* ---- the same memory ------------------------------------------------------------------------- */

static bool is_step(const struct expr *e) {
    return e->kind == EXPR_MEMBER && e->field && e->args[0]->type &&
           e->args[0]->type->kind == TYPE_STRUCT;
}

/* The structure that an lvalue is a member of, of a member, ...; itself when it is none. */
static const struct expr *whole_of(const struct expr *e, long *offset) {
    *offset = 0;
    for (; is_step(e); e = e->args[0])
        *offset += e->field->bit_width >= 0 ? 0 : e->field->offset_bits / 8;
    return e;
}

/* In one row of one region, but for a number of bytes. */
static bool is_same_row(const struct value *a, const struct value *b) {
    bool rows = a->region->kind == REGION_ROWS;
    bool known = a->region->kind != REGION_UNKNOWN && (!rows || a->row) &&
                 (a->region->ntables < 2 || a->outer);
    bool same = a->region == b->region && known && poly_is_same(a->row, b->row) &&
                poly_is_same(a->outer, b->outer) && a->nparts == b->nparts;
    for (int i = 0; same && i < a->nparts; ++i) {
        same = a->parts[i].index && poly_is_same(a->parts[i].index, b->parts[i].index) &&
               poly_is_same(a->parts[i].stride, b->parts[i].stride);
    }
    return same;
}

bool touch_is_within(const struct trace *t, const struct ref *ref, const struct ref *other) {
    long apart, size, offset;
    if (!other->expr)
        return false;
    const struct expr *whole = whole_of(other->expr, &offset);
    bool near = located_address(t, ref)->poly && located_address(t, other)->poly &&
                is_same_row(located_address(t, ref), located_address(t, other)) &&
                poly_is_constant(poly_subtract(t->arena, located_address(t, ref)->poly,
                                               located_address(t, other)->poly),
                                 &apart) &&
                poly_is_constant(ref->size, &size);
    return near && whole->type && apart + offset >= 0 && apart + offset + size <= whole->type->size;
}

/* May the memory of this touch not be there? Its own
 * subscripts and pointers are not asked about. */
static bool touch_may_fault(const struct trace *t, const struct ref *ref, const struct sure *sure) {
    if (ref->scalar || (ref->expr && place_is_declared(t, ref->expr)) || touch_is_inside(t, ref))
        return false;
    for (int i = 0; i < t->nrefs; ++i)
        if (is_sure(&t->refs[i], sure ? sure->at : NULL) && touch_is_within(t, ref, &t->refs[i]))
            return false;
    return true;
}

/* ---- the same rounds ------------------------------------------------------------------------- */

static bool is_leaving(const void *data, const struct stmt *s) {
    (void)data;
    return s->kind == STMT_BREAK || s->kind == STMT_RETURN || s->kind == STMT_GOTO ||
           s->kind == STMT_LABEL || s->kind == STMT_UNKNOWN;
}

bool stmt_may_leave(const struct stmt *s) {
    return stmt_any(s, is_leaving, NULL);
}

/* The loop that every iteration runs all rounds of, making this touch in each; NULL: there is none. */
static const struct interp_inner *full_loop(const struct trace *t, const struct ref *ref) {
    const struct interp_inner *loop = ref->nloops == 1 ? &t->inner[ref->loops[0]] : NULL;
    bool full = loop && loop->sym && loop->lower && loop->upper && !loop->may_skip &&
                !ref->header && !stmt_may_leave(loop->loop->body);
    for (int i = 0; full && i < ref->nconditions; ++i)
        full = ref->conditions[i].trip;
    return full ? loop : NULL;
}

static const struct poly *trips(const struct trace *t, const struct interp_inner *loop) {
    return poly_subtract(t->arena, loop->upper, loop->lower);
}

static bool has_same_rounds(const struct trace *t, const struct interp_inner *a,
                            const struct interp_inner *b) {
    return b->sym && b->lower && b->upper && !b->may_skip && a->step == b->step &&
           a->by_number == b->by_number && poly_equal(trips(t, a), trips(t, b));
}

/* Where a touch of the loop is in its first round, and how far it moves per value of the counter. */
static bool first_of(const struct trace *t, const struct ref *ref, const struct interp_inner *loop,
                     const struct poly **first, const struct poly **coeff) {
    const struct poly *rest, *offset = located_address(t, ref)->poly;
    if (!offset || !poly_split(t->arena, offset, loop->sym->id, coeff, &rest))
        return false;
    *first = poly_add(t->arena, rest, poly_multiply(t->arena, *coeff, loop->lower));
    return true;
}

/* In each round the same bytes. */
static bool has_same_offsets(const struct trace *t, const struct ref *a,
                             const struct interp_inner *of_a, const struct ref *b,
                             const struct interp_inner *of_b) {
    const struct poly *firsts[2], *coeffs[2];
    return first_of(t, a, of_a, &firsts[0], &coeffs[0]) &&
           first_of(t, b, of_b, &firsts[1], &coeffs[1]) && poly_equal(firsts[0], firsts[1]) &&
           poly_equal(coeffs[0], coeffs[1]);
}

bool sure_in_same_rounds(const struct trace *t, const struct ref *load) {
    const struct interp_inner *own = load->nloops == 1 ? &t->inner[load->loops[0]] : NULL;
    budget_spend(t->nrefs);
    for (int i = 0; own && i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct interp_inner *full = full_loop(t, ref);
        if (full && poly_is_same(ref->size, load->size) && located_address(t, ref)->nparts == 0 &&
            is_same_row(located_address(t, ref), located_address(t, load)) &&
            has_same_rounds(t, full, own) && has_same_offsets(t, ref, full, load, own))
            return true;
    }
    return false;
}

/* ---- the same words -------------------------------------------------------------------------- */

/* An iteration leaves it as it is; what it declares, it leaves as that is declared. */
static bool is_steady_variable(const struct trace *t, const struct variable *var) {
    return var->type->kind == TYPE_ARRAY || variable_is_steady(t->loop, var);
}

static bool is_unwritten(const struct trace *t, const struct expr *e) {
    bool found = false;
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->expr == e && (!located(t, ref)->object || located(t, ref)->object->written))
            return false;
        found = found || ref->expr == e;
    }
    return found;
}

/* Worth the same anywhere in an iteration. */
static bool is_steady(const struct trace *t, const struct expr *e, bool place) {
    switch (e->kind) {
    case EXPR_INT:
        return true;
    case EXPR_VAR:
        return is_steady_variable(t, e->var);
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_CAST:
    case EXPR_ADDRESS:
        break;
    case EXPR_MEMBER:
    case EXPR_DEREF:
    case EXPR_SUBSCRIPT:
        if (!place && e->type->kind != TYPE_ARRAY && !is_unwritten(t, e))
            return false;
        break;
    default:
        return false;
    }
    for (int i = 0; i < e->nargs; ++i) {
        bool inside = i == 0 && (e->kind == EXPR_MEMBER || e->kind == EXPR_ADDRESS);
        if (!e->args[i] || !is_steady(t, e->args[i], inside))
            return false;
    }
    return true;
}

/*
 * In the same words at a place of the body that is surely reached, or, for an expression that the
 * analysis made (which has no id), over the same variables and captures.
 */
static bool is_named(const struct trace *t, const struct expr *lvalue, const struct ref *at) {
    long offset;
    const struct expr *whole = whole_of(lvalue, &offset);
    bool made = lvalue->id < 0, steady = !made && is_steady(t, whole, true), found = false;
    for (int i = 0; i < t->nrefs && !found; ++i) {
        const struct ref *ref = &t->refs[i];
        const struct expr *there = made       ? located_address(t, ref)->pure
                                   : ref->via ? NULL
                                              : ref->expr;
        found = (made || steady) && ref->expr != lvalue && there && is_sure(ref, at) &&
                expr_equal(whole_of(there, &offset), whole);
    }
    return found;
}

bool sure_is_touched(const struct trace *t, const struct expr *lvalue, const struct sure *sure) {
    int count = 0;
    bool all = true;
    budget_spend(t->nrefs);
    for (int i = 0; i < t->nrefs && all; ++i) {
        const struct ref *ref = &t->refs[i];
        if (ref->expr == lvalue) {
            all = !touch_may_fault(t, ref, sure);
            ++count;
        }
    }
    return (count > 0 && all) || is_named(t, lvalue, sure ? sure->at : NULL);
}

/* ---- the same value -------------------------------------------------------------------------- */

/* Is `e` evaluated whenever `whole` is? */
static bool is_part(const struct expr *e, const struct expr *whole) {
    bool chooses =
        whole->kind == EXPR_AND || whole->kind == EXPR_OR || whole->kind == EXPR_CONDITIONAL;
    int nargs = chooses                                                     ? 1
                : whole->kind == EXPR_SIZEOF || whole->kind == EXPR_UNKNOWN ? 0
                                                                            : whole->nargs;
    bool found = expr_equal(e, whole);
    for (int i = 0; i < nargs && !found; ++i)
        found = whole->args[i] && is_part(e, whole->args[i]);
    return found;
}

bool sure_is_done(const struct expr *e, const struct sure *sure) {
    return sure && sure->done && is_part(e, sure->done);
}
