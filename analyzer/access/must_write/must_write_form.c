/* Variables, forms and bounds of a question of coverage. */
#include "analyzer/access/must_write/must_write_private.h"

#include <stdlib.h>

int *must_write_no_vars(const struct trace *t) {
    int *vars = arena_alloc(t->arena, (size_t)(t->facts->nsymbols + 1) * sizeof *vars);
    for (int i = 0; i < t->facts->nsymbols; ++i)
        vars[i] = -1;
    return vars;
}

int must_write_fresh(struct question *q) {
    return q->nshared++;
}

/* A local variable that is initialised with a number and never changed. */
static void add_known_value(struct question *q, const struct symbol *symbol, int var) {
    const struct expr *e = symbol->kind == SYMBOL_PARAM ? symbol->expr : NULL;
    while (e && e->kind == EXPR_CAST && e->type->kind == TYPE_INT && e->type->size >= 4)
        e = e->args[0];
    bool fixed = e && e->kind == EXPR_VAR && e->var->storage == STORAGE_LOCAL &&
                 e->var->writes == 0 && !e->var->address_taken && e->var->init &&
                 type_fits(e->var->type, e->var->init) &&
                 labs((long)e->var->init->int_value) < 1 << 20;
    if (fixed) {
        struct linear_form form = {.constant = -(long)e->var->init->int_value};
        linear_form_add(q->arena, &form, var, 1);
        linear_system_add(q->arena, &q->outer, true, form);
    }
}

int must_write_shared_var(struct question *q, const struct symbol *symbol) {
    int *var = &q->shared[symbol->id];
    if (*var < 0) {
        *var = must_write_fresh(q);
        add_known_value(q, symbol, *var);
    }
    return *var;
}

/* The variable that stands for `symbol` in the write; -1: what it is there is not known. */
int must_write_way_var(struct way *way, const struct symbol *symbol) {
    struct question *q = way->q;
    bool index = q->t->facts->index == symbol;
    if (way->own[symbol->id] >= 0)
        return way->own[symbol->id];
    if (symbol->kind == SYMBOL_PARAM)
        return must_write_shared_var(q, symbol);
    if (index || (symbol->kind == SYMBOL_KEY && !symbol->inner)) {
        if (q->when != MUST_WRITE_ALWAYS)
            return must_write_shared_var(q, symbol);
        if (q->primed[symbol->id] < 0)
            q->primed[symbol->id] = must_write_fresh(q);
        return q->primed[symbol->id];
    }
    for (int i = 0; symbol->kind == SYMBOL_LOOP && i < way->fixed; ++i)
        if (q->t->facts->inner[way->ref->loops[i]].symbol == symbol)
            return must_write_shared_var(q, symbol);
    bool same = symbol->kind == SYMBOL_KEY && way->fixed == way->ref->nloops;
    return same ? must_write_shared_var(q, symbol) : -1;
}

/* form += sign * value, in the iteration of the question (`way` NULL) or of a write. */
bool must_write_add_affine(struct question *q, struct way *way, struct linear_form *form,
                           const struct affine *value, int sign) {
    long constant;
    if (__builtin_mul_overflow(value->constant, (long)sign, &constant) ||
        __builtin_add_overflow(form->constant, constant, &form->constant)) {
        return false;
    }
    for (int i = 0; i < value->nterms; ++i) {
        const struct term *t = &value->terms[i];
        int var = way ? must_write_way_var(way, t->symbol) : must_write_shared_var(q, t->symbol);
        long coeff;
        if (var < 0 || __builtin_mul_overflow(t->coeff, (long)sign, &coeff) ||
            !linear_form_add(q->arena, form, var, coeff)) {
            return false;
        }
    }
    return true;
}

static struct linear_system *system_of(struct question *q, struct way *way) {
    return way ? &way->system : &q->outer;
}

/* sign * (var - bound) >= 0 */
bool must_write_add_bound(struct question *q, struct way *way, int var, const struct affine *bound,
                          int sign) {
    struct linear_form form = {0};
    if (!linear_form_add(q->arena, &form, var, sign) ||
        !must_write_add_affine(q, way, &form, bound, -sign)) {
        return false;
    }
    linear_system_add(q->arena, system_of(q, way), false, form);
    return true;
}

/* low <= var <= high */
void must_write_add_range(struct question *q, struct linear_system *system, int var, long low,
                          long high) {
    struct linear_form up = {.constant = -low}, down = {.constant = high};
    linear_form_add(q->arena, &up, var, 1);
    linear_form_add(q->arena, &down, var, -1);
    linear_system_add(q->arena, system, false, up);
    linear_system_add(q->arena, system, false, down);
}

/* Where the loop runs, its bounds are what its condition compares; false: that cannot be said. */
static bool add_entered(struct question *q, struct way *way, const struct inner_loop *loop) {
    const struct interp_inner *inner = &q->t->inner[loop - q->t->facts->inner];
    struct linear_form form = {.constant = loop->step > 0 ? 0 : -1};
    if (!inner->may_skip)
        return true;
    if (inner->by_number ||
        !must_write_add_affine(q, way, &form, loop->step > 0 ? &loop->lower : &loop->upper, 1)) {
        return !way;
    }
    linear_system_add(q->arena, system_of(q, way), false, form);
    return true;
}

/* Both bounds of a loop and its stride; false: one of them is not known. */
bool must_write_add_loop(struct question *q, struct way *way, int var,
                         const struct inner_loop *loop) {
    int up = loop->step > 0 ? 1 : -1;
    bool known = loop->has_lower && must_write_add_bound(q, way, var, &loop->lower, up);
    known = loop->has_upper && must_write_add_bound(q, way, var, &loop->upper, -up) && known;
    if (known && way && loop->step != 1 && loop->step != -1) {
        struct linear_form form = {0};
        int count = OWN + way->nown++;
        known = linear_form_add(q->arena, &form, var, -1) &&
                linear_form_add(q->arena, &form, count, loop->step) &&
                must_write_add_affine(q, way, &form, &loop->lower, 1);
        linear_system_add(q->arena, &way->system, true, form);
    }
    return known && add_entered(q, way, loop);
}
