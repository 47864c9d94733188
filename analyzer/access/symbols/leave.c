/*
 * Subscripts that surely leave their row: `b[i][j - 1]` with j from 0 on. By the C standard such a
 * program means nothing, so "every i has its own row" would be right of nothing either; what the
 * machine does is touch the row before.
 */
#include "analyzer/access/access.h"

struct extreme {
    bool known;
    long value;
};

static const struct inner_loop *loop_of(const struct trace *t, const struct symbol *symbol) {
    for (int i = 0; i < t->facts->ninner; ++i)
        if (t->facts->inner[i].symbol == symbol)
            return &t->facts->inner[i];
    return NULL;
}

/* The least (`sign` -1) or greatest value that a loop's
 * variable takes when the loop runs at all. */
static const struct affine *taken_by(const struct inner_loop *loop, int sign) {
    bool ends = (loop->step > 0) == (sign > 0);
    if (ends)
        return loop->has_upper && (loop->step == 1 || loop->step == -1) ? &loop->upper : NULL;
    return loop->has_lower ? &loop->lower : NULL;
}

/* The least or greatest value, when it is a number. */
static struct extreme extreme_of(const struct trace *t, const struct affine *value, int sign) {
    struct extreme none = {0}, all = {true, value->constant};
    for (int i = 0; i < value->nterms; ++i) {
        long coeff = value->terms[i].coeff, part;
        const struct inner_loop *loop = loop_of(t, value->terms[i].symbol);
        const struct affine *taken = loop ? taken_by(loop, coeff > 0 ? sign : -sign) : NULL;
        if (!taken || taken->nterms > 0 || __builtin_mul_overflow(taken->constant, coeff, &part) ||
            __builtin_add_overflow(all.value, part, &all.value)) {
            return none;
        }
    }
    return all;
}

/* Is each of the subscripts one of the text's, into an array but for the first? */
static bool is_spelled(const struct trace *t, const struct ref *ref) {
    const struct expr *e = ref->expr;
    for (int d = located(t, ref)->nsubs - 1; d >= 0; --d) {
        if (!e || e->kind != EXPR_SUBSCRIPT ||
            (d > 0 && e->args[0]->type->kind != TYPE_ARRAY && e->args[0]->type->kind != TYPE_VLA)) {
            return false;
        }
        e = e->args[0];
    }
    return e && e->kind != EXPR_SUBSCRIPT;
}

static bool leaves_above(const struct extreme *least, const struct extreme *most, long count) {
    return (most->known && most->value >= count) || (least->known && least->value >= count);
}

static void look(const struct trace *t, const struct ref *ref) {
    const struct expr *e = ref->expr;
    for (int d = located(t, ref)->nsubs - 1; d > 0; --d, e = e->args[0]) {
        const struct type *row = e->args[0]->type;
        if (!located(t, ref)->subs[d].known)
            continue;
        struct extreme least = extreme_of(t, &located(t, ref)->subs[d].value, -1);
        struct extreme most = extreme_of(t, &located(t, ref)->subs[d].value, 1);
        bool above = row->kind == TYPE_ARRAY && leaves_above(&least, &most, row->count);
        if ((least.known && least.value < 0) || above) {
            interp_refuse(
                t, ORR2241, ref->via ? ref->via->range : ref->range,
                "let the loop begin or end where the subscript stays inside; to go through "
                "all rows in one, use a pointer to the first element",
                "`%s` leaves its row: `%s` is %ld in some iteration",
                expr_print(t->arena, ref->expr), expr_print(t->arena, e->args[1]),
                above && most.known ? most.value : least.value);
            return;
        }
    }
}

void subscripts_stay(const struct trace *t) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->nsubs > 1 && !ref->conditional && !ref->nconditions &&
            is_spelled(t, ref))
            look(t, ref);
    }
}
