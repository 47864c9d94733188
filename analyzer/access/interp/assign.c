/* Assignments in the abstract run. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

static const struct type *common_type(const struct type *a, const struct type *b) {
    static const struct type type_int = {
        .kind = TYPE_INT, .size = 4, .is_signed = true, .spelling = "int", .local_name = "int"};
    if (!a || !b)
        return a ? a : &type_int;
    if (a->kind == TYPE_FLOAT || b->kind == TYPE_FLOAT)
        return a->kind != TYPE_FLOAT ? b : b->kind != TYPE_FLOAT ? a : a->size >= b->size ? a : b;
    const struct type *wide = a->size > b->size || (a->size == b->size && !a->is_signed) ? a : b;
    return wide->size < 4 || wide->kind == TYPE_BOOL ? &type_int : wide;
}

static const struct value *moved_pointer(struct interp *w, const struct value *p,
                                         const struct value *by, const struct type *type,
                                         bool back) {
    struct value *step = arena_alloc(w->arena, sizeof *step);
    *step = *by;
    if (back && by->kind == VALUE_INT)
        step->poly = poly_scale(w->arena, by->poly, -1);
    return value_advance(w, p, step, eval_type_size(w, type->element), NULL);
}

static const struct value *with_sum(struct interp *w, const struct value *v, enum op op,
                                    struct expr *a, struct expr *b, const struct type *type) {
    struct value *copy = arena_alloc(w->arena, sizeof *copy);
    *copy = *v;
    copy->pure = expr_binary(w->arena, op, a, b);
    copy->pure->type = type;
    return copy;
}

/* The text of `x` in `x += 1` is a place to store to: it cannot stand for a value. */
static void not_replaceable(struct interp *w, const struct value *v, const struct expr *e) {
    for (int i = 0; i < v->nsites; ++i)
        if (w->trace.sites[v->sites[i]].expr == e)
            w->sites[v->sites[i]].in_callee = true;
}

static const struct value *combine(struct interp *w, struct expr *e, enum op op,
                                   const struct value *old, const struct value *by,
                                   const struct type *by_type) {
    const struct type *type = e->args[0]->type;
    if (type && type->kind == TYPE_POINTER) {
        const struct value *to = moved_pointer(w, old, by, type, op == OP_SUB);
        return old->pure && by->pure ? with_sum(w, to, op, old->pure, by->pure, type) : to;
    }
    const struct type *wide =
        op == OP_SHL || op == OP_SHR ? common_type(type, type) : common_type(type, by_type);
    const struct value *v = eval_arithmetic(w, e, op, old, type, by, by_type, wide);
    return value_convert(w, v, wide, type);
}

static const struct value *assign_plain(struct interp *w, struct expr *e, int reduction) {
    const struct value *v =
        value_convert(w, eval(w, e->args[1]), e->args[1]->type, e->args[0]->type);
    const struct value *address = eval_address(w, e->args[0]);
    memory_store(w, address, v, e->args[0], reduction);
    return v;
}

static const struct value *assign_update(struct interp *w, struct expr *e, int reduction) {
    const struct value *by = eval(w, e->args[1]);
    const struct value *address = eval_address(w, e->args[0]);
    const struct value *old = memory_load(w, address, e->args[0]);
    not_replaceable(w, old, e->args[0]);
    const struct value *v = combine(w, e, e->op, old, by, e->args[1]->type);
    memory_store(w, address, v, e->args[0], reduction);
    return v;
}

struct reads {
    struct expr *saved[4];
    int nsaved, op;
};

static void expect_reads(struct interp *w, struct reads *saved, int op, struct expr **reads,
                         int n) {
    memcpy(saved->saved, w->reduction_read, sizeof saved->saved);
    saved->nsaved = w->nreduction_reads;
    saved->op = w->reduction_op;
    if (op >= 0) {
        w->nreduction_reads = n;
        w->reduction_op = op;
        memcpy(w->reduction_read, reads, (size_t)n * sizeof *reads);
    }
}

static void forget_reads(struct interp *w, const struct reads *saved) {
    memcpy(w->reduction_read, saved->saved, sizeof saved->saved);
    w->nreduction_reads = saved->nsaved;
    w->reduction_op = saved->op;
}

/* The op of a reduction that `if (a < m) m = a` set up around this assignment. */
static int expected_by_condition(const struct interp *w, const struct expr *e) {
    for (int i = 0; i < w->nreduction_reads; ++i)
        if (w->reduction_read[i] == e)
            return w->reduction_op;
    return -1;
}

/* What an assignment is worth: a bit-field keeps some bits of it only. */
static const struct value *kept(struct interp *w, const struct expr *lvalue,
                                const struct value *v) {
    const char *why = "it is what a bit-field keeps of it";
    return is_bit_field(lvalue) ? value_unknown(w, interp_why(&w->trace, WHY_BIT_FIELD, why)) : v;
}

const struct value *eval_assign(struct interp *w, struct expr *e, bool discarded) {
    struct expr *reads[4];
    struct reads saved;
    int nreads = 0;
    int op = discarded ? reduce_match(w, e, reads, &nreads) : -1;
    int expected = expected_by_condition(w, e);
    expect_reads(w, &saved, op, reads, nreads);
    op = op >= 0 ? op : expected;
    const struct value *v = e->op == OP_NONE ? assign_plain(w, e, op) : assign_update(w, e, op);
    forget_reads(w, &saved);
    return kept(w, e->args[0], v);
}

const struct value *eval_increment(struct interp *w, struct expr *e, bool discarded) {
    struct expr *reads[4];
    struct reads saved;
    int nreads = 0;
    int op = discarded ? reduce_match(w, e, reads, &nreads) : -1;
    int refs = w->trace.nrefs;
    expect_reads(w, &saved, op, reads, nreads);
    const struct value *address = eval_address(w, e->args[0]);
    const struct value *old = memory_load(w, address, e->args[0]);
    not_replaceable(w, old, e->args[0]);
    const struct type *type = e->args[0]->type;
    const struct type *by = type && type->kind == TYPE_INT ? type : type_long();
    const struct value *v =
        combine(w, e, e->delta > 0 ? OP_ADD : OP_SUB, old, value_integer(w, 1), by);
    memory_store(w, address, v, e->args[0], op);
    for (int r = refs; r < w->trace.nrefs; ++r)
        if (w->trace.refs[r].expr == e->args[0])
            w->refs[r].range = e->range;
    forget_reads(w, &saved);
    return e->prefix ? kept(w, e->args[0], v) : old;
}
