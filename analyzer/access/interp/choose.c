/* One of two pointers: into one object, where they differ in one index that a condition chooses. */
#include "analyzer/access/interp/interp.h"

#include <string.h>

static long common_divisor(long a, long b) {
    return b ? common_divisor(b, a % b) : a < 0 ? -a : a;
}

/* The number that `poly` is, as a value of the program's. */
static const struct value *as_value(struct interp *w, const struct value *from,
                                    const struct poly *poly) {
    struct value *v = value_new(&w->trace, VALUE_INT);
    v->poly = poly;
    struct expr *pure = poly_expr(w->trace.syms, poly, true);
    v->pure = pure->type && type_is_alike(pure->type, type_long())
                  ? pure
                  : expr_cast(w->arena, type_long(), pure);
    value_inherit(&w->trace, v, from);
    return v;
}

/* What is chosen of two indices, both times `unit`; NULL: that has no name. `*by`: who chose. */
static const struct poly *choose(struct interp *w, const struct value *cond, const struct value *a,
                                 const struct poly *of_a, const struct value *b,
                                 const struct poly *of_b, long unit, const struct value **by) {
    const struct poly *by_unit = poly_constant(w->arena, unit);
    const struct poly *index[] = {poly_divide(w->arena, of_a, by_unit),
                                  poly_divide(w->arena, of_b, by_unit)};
    if (!index[0] || !index[1])
        return NULL;
    *by = value_select(w, cond, as_value(w, a, index[0]), as_value(w, b, index[1]));
    return (*by)->kind == VALUE_INT && (*by)->poly ? poly_scale(w->arena, (*by)->poly, unit) : NULL;
}

static bool is_same_object(const struct interp *w, const struct value *a, const struct value *b) {
    const struct region *region = a->region;
    bool tracked = region && region->kind == REGION_VARIABLE && env_find(&w->env, region->var);
    return region && region == b->region && !tracked &&
           (region->kind == REGION_VARIABLE || region->kind == REGION_POINTER ||
            region->kind == REGION_ROWS);
}

/* The same but for indices of which each is known. */
static bool is_same_form(const struct value *a, const struct value *b) {
    bool same = a->poly && b->poly && !a->nwraps && !b->nwraps && !a->demand && !b->demand &&
                poly_is_same(a->outer, b->outer) && !a->row == !b->row && a->nparts == b->nparts;
    for (int k = 0; same && k < a->nparts; ++k) {
        const struct part *p = &a->parts[k], *q = &b->parts[k];
        same = p->index && q->index && poly_equal(p->stride, q->stride) &&
               poly_is_same(p->extent, q->extent) && p->grows == q->grows;
    }
    return same;
}

/* The open offsets are multiples of what divides both. */
static bool choose_offset(struct interp *w, const struct value *cond, const struct value *a,
                          const struct value *b, struct value *to, const struct value **by) {
    long unit = common_divisor(poly_content(a->poly), poly_content(b->poly));
    to->poly = choose(w, cond, a, a->poly, b, b->poly, unit ? unit : 1, by);
    return to->poly;
}

static bool choose_part(struct interp *w, const struct value *cond, const struct value *a,
                        const struct value *b, int k, struct value *to, const struct value **by) {
    to->parts = arena_alloc(w->arena, (size_t)a->nparts * sizeof *to->parts);
    memcpy(to->parts, a->parts, (size_t)a->nparts * sizeof *to->parts);
    to->parts[k].index = choose(w, cond, a, a->parts[k].index, b, b->parts[k].index, 1, by);
    return to->parts[k].index;
}

static bool choose_row(struct interp *w, const struct value *cond, const struct value *a,
                       const struct value *b, struct value *to, const struct value **by) {
    to->row = choose(w, cond, a, a->row, b, b->row, 1, by);
    return to->row;
}

const struct value *pointer_select(struct interp *w, const struct value *cond,
                                   const struct value *a, const struct value *b) {
    if (!cond || !cond->pure || a->kind != VALUE_POINTER || b->kind != VALUE_POINTER ||
        !is_same_object(w, a, b) || !is_same_form(a, b))
        return NULL;
    struct value *p = arena_alloc(w->arena, sizeof *p);
    *p = *a;
    p->pure = NULL;
    p->nsites = 0;
    const struct value *by = NULL;
    int differ = !poly_equal(a->poly, b->poly) + !poly_is_same(a->row, b->row), part = -1;
    for (int k = 0; k < a->nparts; ++k)
        if (!poly_equal(a->parts[k].index, b->parts[k].index)) {
            ++differ;
            part = k;
        }
    bool chosen =
        differ == 1 && (part >= 0                       ? choose_part(w, cond, a, b, part, p, &by)
                        : !poly_is_same(a->row, b->row) ? choose_row(w, cond, a, b, p, &by)
                                                        : choose_offset(w, cond, a, b, p, &by));
    value_inherit(&w->trace, p, b);
    value_inherit(&w->trace, p, by);
    return chosen || differ == 0 ? p : NULL;
}
