/* Values of one type as another, and one of two values. */
#include "analyzer/access/interp/interp.h"

static bool has_fixed_size(const struct type *type) {
    while (type && (type->kind == TYPE_POINTER || type->kind == TYPE_ARRAY))
        type = type->element;
    return type && type->kind != TYPE_VLA;
}

/* The text of a pointer says what it points to, as which it is read: `*(unsigned char *)&key`. */
static const struct value *convert_pointer(struct interp *w, const struct value *v,
                                           const struct type *to) {
    struct expr *pure = v->pure;
    if (!pure || !pure->type || !pure->type->element ||
        type_reads_alike(pure->type->element, to->element)) {
        return v;
    }
    while (pure->kind == EXPR_CAST && pure->args[0]->type && pure->args[0]->type->element)
        pure = pure->args[0];
    struct value *converted = arena_alloc(w->arena, sizeof *converted);
    *converted = *v;
    bool alike = type_reads_alike(pure->type->element, to->element);
    converted->pure = alike ? pure : has_fixed_size(to) ? expr_cast(w->arena, to, pure) : NULL;
    return converted;
}

/* A literal that a variable of type `to` holds says the same in its place. */
static bool is_literal_of(const struct expr *e, const struct type *to) {
    const struct type *from = e ? e->type : NULL;
    return e && e->kind == EXPR_INT && to->is_signed && from && from->kind == TYPE_INT &&
           from->is_signed && (e->int_value >= 0 || from->size >= to->size);
}

/* A loop's variable that counts up from no less than 0 to a bound of 32 bits that `to` holds. */
static bool counts_within(const struct sym *sym, const struct type *to) {
    const struct loop *loop = sym->kind == SYMBOL_LOOP ? sym->loop : NULL;
    const struct type *bound = loop && loop->upper ? loop->upper->type : NULL;
    long lower;
    return bound && bound->kind == TYPE_INT && bound->size <= 4 &&
           (bound->is_signed || !to->is_signed) && loop->step > 0 && loop->relation != OP_NE &&
           sym->upper && sym->lower && poly_is_constant(sym->lower, &lower) && lower >= 0;
}

/* May the polynomial's value be taken over unchanged into the integer type `to`? */
static bool keeps_value(struct interp *w, const struct value *v, const struct type *from,
                        const struct type *to) {
    long number;
    int sym;
    if (!from || from->kind != TYPE_INT || to->kind != TYPE_INT || to->size < 0)
        return from && from->kind == TYPE_BOOL && to->kind == TYPE_INT;
    if (type_is_alike(from, to) || to->size >= 8)
        return from->size <= 8;
    if (poly_is_constant(v->poly, &number)) {
        long top = to->is_signed ? (1L << (8 * to->size - 1)) - 1 : (1L << 8 * to->size) - 1;
        return number <= top && number >= (to->is_signed ? -top - 1 : 0);
    }
    if (to->size > from->size && (to->is_signed || !from->is_signed))
        return true;
    return poly_is_sym_plus(v->poly, &sym, &number) && number == 0 && to->size == 4 &&
           counts_within(w->trace.syms->items[sym], to);
}

static const struct value *cast_opaque(struct interp *w, const struct value *v,
                                       const struct type *to) {
    value_consume(w, v);
    struct expr *pure = v->pure ? expr_cast(w->arena, to, v->pure) : NULL;
    return value_opaque(w, pure, to, v, NULL);
}

const struct value *value_convert(struct interp *w, const struct value *v, const struct type *from,
                                  const struct type *to) {
    if (to && to->kind == TYPE_POINTER && v->kind == VALUE_POINTER)
        return convert_pointer(w, v, to);
    if (!to || v->kind == VALUE_UNKNOWN || type_is_alike(from, to))
        return v;
    if (to->kind == TYPE_INT && v->kind == VALUE_INT && keeps_value(w, v, from, to)) {
        struct value *same = arena_alloc(w->arena, sizeof *same);
        *same = *v;
        bool cast = v->pure && !is_literal_of(v->pure, to);
        same->pure = cast ? expr_cast(w->arena, to, v->pure) : v->pure;
        return same;
    }
    if (to->kind == TYPE_INT || to->kind == TYPE_BOOL || to->kind == TYPE_FLOAT)
        return cast_opaque(w, v, to);
    if (to->kind == TYPE_POINTER && v->kind == VALUE_INT) {
        value_consume(w, v);
        long number;
        struct value *p = value_new(&w->trace, VALUE_POINTER);
        bool null = poly_is_constant(v->poly, &number) && number == 0;
        struct region *region =
            region_unknown(w, null ? "it is a null pointer" : "it is made of an integer");
        region->null = null;
        p->region = region;
        p->pure = v->pure;
        return p;
    }
    return v;
}

const struct value *value_select(struct interp *w, const struct value *cond, const struct value *a,
                                 const struct value *b) {
    if (a == b)
        return a;
    if (value_same(a, b)) {
        interp_demand(w, a->demand);
        interp_demand(w, b->demand);
        struct value *both = arena_alloc(w->arena, sizeof *both);
        *both = *a;
        value_inherit(&w->trace, both, b);
        value_inherit_sites(w, both, b);
        return both;
    }
    value_consume(w, a);
    value_consume(w, b);
    if (!cond || !cond->pure || !a->pure || !b->pure || a->kind == VALUE_POINTER ||
        b->kind == VALUE_POINTER) {
        if (a->kind == VALUE_POINTER || b->kind == VALUE_POINTER) {
            const struct value *chosen = pointer_select(w, cond, a, b);
            if (chosen)
                return chosen;
            struct value *p = value_new(&w->trace, VALUE_POINTER);
            p->region = region_unknown(w, "it is one of two pointers");
            return p;
        }
        return value_unknown(w, "it is set under a condition");
    }
    struct expr *e = expr_new(w->arena, EXPR_CONDITIONAL, a->pure->type, cond->pure->range);
    e->nargs = 3;
    e->args[0] = cond->pure;
    e->args[1] = a->pure;
    e->args[2] = b->pure;
    struct value both = *cond;
    value_inherit(&w->trace, &both, a);
    value_inherit(&w->trace, &both, b);
    const struct value *v = value_opaque(w, e, a->pure->type, &both, NULL);
    meaning_of_choice(w, v, cond, a, b);
    return v;
}
