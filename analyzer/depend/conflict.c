/*
 * The conflict set of one pair of accesses (depend.h).
 */
#include "analyzer/depend/depend.h"

/* A variable of no symbol. */
static int conflict_fresh(struct conflict *conflict) {
    return conflict->system.nvars++;
}

int conflict_var(struct conflict *conflict, int side, const struct symbol *symbol) {
    int *var = &conflict->vars[side][symbol->id];
    if (*var < 0) {
        *var = conflict_fresh(conflict);
        if (symbol->kind == SYMBOL_PARAM)
            conflict->vars[!side][symbol->id] = *var;
    }
    return *var;
}

bool conflict_affine_add(struct conflict *c, struct linear_form *form, int side,
                         const struct affine *value, int sign) {
    long constant;
    if (__builtin_mul_overflow(value->constant, (long)sign, &constant) ||
        __builtin_add_overflow(form->constant, constant, &form->constant)) {
        return false;
    }
    for (int i = 0; i < value->nterms; ++i) {
        long coeff;
        if (__builtin_mul_overflow(value->terms[i].coeff, (long)sign, &coeff) ||
            !linear_form_add(c->arena, form, conflict_var(c, side, value->terms[i].symbol),
                             coeff)) {
            return false;
        }
    }
    return true;
}

/* sign * (x - bound) >= 0 */
static void bound_add(struct conflict *c, int side, int x, const struct affine *bound, int sign) {
    struct linear_form form = {0};
    if (linear_form_add(c->arena, &form, x, sign) &&
        conflict_affine_add(c, &form, side, bound, -sign)) {
        linear_system_add(c->arena, &c->system, false, form);
    }
}

/* x = lower + step * count; `lower` NULL: x = start + step * count. */
static void stride_add(struct conflict *c, int side, int x, const struct affine *lower, int start,
                       long step, int count) {
    struct linear_form form = {0};
    bool good = linear_form_add(c->arena, &form, x, -1) &&
                linear_form_add(c->arena, &form, count, step) &&
                (lower ? conflict_affine_add(c, &form, side, lower, 1)
                       : linear_form_add(c->arena, &form, start, 1));
    if (good)
        linear_system_add(c->arena, &c->system, true, form);
}

static void at_least_zero(struct conflict *c, int var) {
    struct linear_form form = {0};
    linear_form_add(c->arena, &form, var, 1);
    linear_system_add(c->arena, &c->system, false, form);
}

static void upper_add(struct conflict *c, int side, int x, const struct inner_loop *loop) {
    if (loop->has_upper)
        bound_add(c, side, x, &loop->upper, loop->step > 0 ? -1 : 1);
}

/* The analyzed loop: its first value is one for both sides, known or not. */
static void add_iterations(struct conflict *c) {
    for (int side = 0; side < 2; ++side) {
        c->iteration[side] = conflict_fresh(c);
        at_least_zero(c, c->iteration[side]);
    }
    const struct inner_loop *loop = c->facts->ninner > 0 ? &c->facts->inner[0] : NULL;
    if (!loop || loop->step == 0 || !loop->symbol)
        return;
    int start = conflict_fresh(c);
    for (int side = 0; side < 2; ++side) {
        int x = conflict_var(c, side, loop->symbol);
        stride_add(c, side, x, loop->has_lower ? &loop->lower : NULL, start, loop->step,
                   c->iteration[side]);
        upper_add(c, side, x, loop);
    }
}

static void add_inner_loop(struct conflict *c, int side, const struct inner_loop *loop) {
    int x = conflict_var(c, side, loop->symbol);
    if (loop->has_lower && (loop->step == 1 || loop->step == -1)) {
        bound_add(c, side, x, &loop->lower, loop->step > 0 ? 1 : -1);
    } else if (loop->has_lower) {
        int count = conflict_fresh(c);
        at_least_zero(c, count);
        stride_add(c, side, x, &loop->lower, -1, loop->step, count);
    }
    upper_add(c, side, x, loop);
}

void conflict_bounds_add(struct conflict *c, int side, const struct access *a) {
    for (int i = a->nloops - 1; i >= 0; --i) {
        const struct inner_loop *loop = &c->facts->inner[a->loops[i]];
        if (a->loops[i] != 0 && c->vars[side][loop->symbol->id] >= 0)
            add_inner_loop(c, side, loop);
    }
}

static void add_subscripts(struct conflict *c, const struct access *a, const struct access *b) {
    for (int d = 0; d < a->nsubs && d < b->nsubs; ++d) {
        struct linear_form form = {0};
        if (a->subs[d].known && b->subs[d].known &&
            conflict_affine_add(c, &form, 0, &a->subs[d].value, 1) &&
            conflict_affine_add(c, &form, 1, &b->subs[d].value, -1)) {
            linear_system_add(c->arena, &c->system, true, form);
        }
    }
}

/* ---- domains --------------------------------------------------------------------------------- */

enum { MAX_CLAUSES = 10 };

static bool row_of(struct conflict *c, int side, const struct domain_row *row,
                   struct linear_row *made) {
    *made = (struct linear_row){.equality = row->equality};
    return conflict_affine_add(c, &made->form, side, &row->value, 1);
}

/* More of those that say "one of these" than isl should be asked with are left out. */
static void add_clause(struct conflict *c, int side, const struct domain_clause *clause) {
    struct linear_clause made = {0};
    struct linear_row row;
    if (clause->nrows > 1 && c->system.nclauses == MAX_CLAUSES)
        return;
    for (int i = 0; i < clause->nrows; ++i) {
        if (!row_of(c, side, &clause->rows[i], &row))
            return;
        ARENA_PUSH(c->arena, made.rows, made.nrows, row);
    }
    if (made.nrows == 1)
        linear_system_add(c->arena, &c->system, made.rows[0].equality, made.rows[0].form);
    else
        ARENA_PUSH(c->arena, c->system.clauses, c->system.nclauses, made);
}

static void add_domain(struct conflict *c, int side, const struct domain *domain) {
    for (int i = 0; domain && i < domain->nclauses; ++i)
        add_clause(c, side, &domain->clauses[i]);
}

/* What the symbols in use mean may bring in others. */
static void add_meanings(struct conflict *c, int side, bool *told) {
    bool again = true;
    while (again) {
        again = false;
        for (int i = 0; i < c->facts->nsymbols; ++i) {
            const struct symbol *s = c->facts->symbols[i];
            if (s->domain && !told[i] && c->vars[side][i] >= 0) {
                told[i] = again = true;
                add_domain(c, side, s->domain);
            }
        }
    }
}

void conflict_meanings_add(struct conflict *c, int side) {
    bool *told = arena_alloc(c->arena, (c->facts->nsymbols + 1) * sizeof *told);
    add_meanings(c, side, told);
}

static bool whole_element(const struct access *a) {
    return a->object->kind == OBJECT_UNKNOWN || a->field_size < 0 || a->nsubs < a->object->ndims;
}

bool access_bytes_meet(const struct access *a, const struct access *b) {
    if (whole_element(a) || whole_element(b))
        return true;
    return a->field_offset < b->field_offset + b->field_size &&
           b->field_offset < a->field_offset + a->field_size;
}

void conflict_build(struct arena *arena, const struct loop_facts *facts, const struct access *a,
                    const struct access *b, struct conflict *conflict) {
    bool *told[2];
    *conflict = (struct conflict){.arena = arena, .facts = facts};
    for (int side = 0; side < 2; ++side) {
        conflict->vars[side] = arena_alloc(arena, (facts->nsymbols + 1) * sizeof(int));
        told[side] = arena_alloc(arena, (facts->nsymbols + 1) * sizeof(bool));
        for (int i = 0; i < facts->nsymbols; ++i)
            conflict->vars[side][i] = -1;
    }
    add_iterations(conflict);
    if (a->object->kind != OBJECT_UNKNOWN)
        add_subscripts(conflict, a, b);
    for (int side = 0; side < 2; ++side) {
        const struct access *access = side == 0 ? a : b;
        add_domain(conflict, side, access->domain);
        add_meanings(conflict, side, told[side]);
        if (a->object->kind != OBJECT_UNKNOWN)
            conflict_bounds_add(conflict, side, access);
        add_meanings(conflict, side, told[side]);
    }
    add_domain(conflict, 0, facts->given);
}

void conflict_order(struct conflict *conflict, bool forward) {
    struct linear_form form = {.constant = -1};
    linear_form_add(conflict->arena, &form, conflict->iteration[forward ? 1 : 0], 1);
    linear_form_add(conflict->arena, &form, conflict->iteration[forward ? 0 : 1], -1);
    linear_system_add(conflict->arena, &conflict->system, false, form);
}

void conflict_same_iteration(struct conflict *conflict) {
    struct linear_form form = {0};
    linear_form_add(conflict->arena, &form, conflict->iteration[1], 1);
    linear_form_add(conflict->arena, &form, conflict->iteration[0], -1);
    linear_system_add(conflict->arena, &conflict->system, true, form);
}
