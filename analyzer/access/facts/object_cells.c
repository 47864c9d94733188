/*
 * Single elements of an array as objects of their own: in `t[0] += x * t[2]` the sum is not what is
 * read. Only where the text says the place by numbers, so that another name can stand for it, and
 * where nothing else of the loop reaches it.
 */
#include "analyzer/access/internal.h"
#include "analyzer/access/subscripts/layout.h"

#include <string.h>

/* Bytes [begin, end). */
struct cell {
    long begin, end;
};

bool cell_place(const struct trace *t, const struct ref *ref, long *begin, long *end) {
    const struct value *address = located_address(t, ref);
    const struct poly *at = address->row ? NULL : address->poly;
    long size;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        at = poly_add(t->arena, at, poly_multiply(t->arena, part->index, part->stride));
    }
    if (!poly_is_constant(at, begin) || !poly_is_constant(ref->size, &size))
        return false;
    return size > 0 && !__builtin_add_overflow(*begin, size, end);
}

/* ---- what misses a cell ---------------------------------------------------------------------- */

static long divisor(long a, long b) {
    return b ? divisor(b, a % b) : a;
}

static const struct interp_inner *loop_of(const struct trace *t, const struct ref *ref,
                                          const struct sym *sym) {
    for (int i = -1; i < ref->nloops; ++i) {
        const struct interp_inner *loop = &t->inner[i < 0 ? 0 : ref->loops[i]];
        if (loop->sym == sym && !loop->by_number)
            return loop;
    }
    return NULL;
}

/* Adds coeff * (a variable that goes from a constant by equal steps):
 * `*first` and multiples of `*unit`. */
static bool add_counted(const struct trace *t, const struct ref *ref, const struct monomial *m,
                        long *first, long *unit) {
    const struct sym *sym = m->nsyms == 1 ? t->syms->items[m->syms[0]] : NULL;
    const struct interp_inner *loop = sym ? loop_of(t, ref, sym) : NULL;
    long from, by, start;
    if (!loop || loop->step == 0 ||
        !poly_is_constant(loop->step > 0 ? loop->lower : loop->upper, &from) ||
        __builtin_mul_overflow(m->coeff, loop->step, &by) ||
        __builtin_mul_overflow(m->coeff, from, &start) ||
        __builtin_add_overflow(*first, start, &start)) {
        return false;
    }
    *first = start;
    *unit = divisor(*unit, by);
    return true;
}

/* Does p step over low..high? */
static bool steps_over(const struct trace *t, const struct ref *ref, const struct poly *p, long low,
                       long high) {
    long first = 0, unit = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct monomial *m = &p->monomials[i];
        if (m->nsyms == 0) {
            if (__builtin_add_overflow(first, m->coeff, &first))
                return false;
        } else if (!add_counted(t, ref, m, &first, &unit)) {
            unit = divisor(unit, m->coeff);
        }
    }
    unit = unit < 0 ? -unit : unit;
    long above;
    if (unit <= 0 || __builtin_sub_overflow(first, low, &above))
        return unit == 0 && (first < low || first > high);
    above = (above % unit + unit) % unit;
    return above > high - low;
}

/* Is p never one of low..high where the access is made? */
static bool avoids(const struct trace *t, const struct ref *ref, const struct poly *p, long low,
                   long high) {
    struct lower_bounds bounds = layout_facts(t, ref);
    const struct poly *least = layout_bound(t, ref, p, false, &bounds);
    const struct poly *most = layout_bound(t, ref, p, true, &bounds);
    const struct poly *above = poly_subtract(t->arena, least, poly_constant(t->arena, high + 1));
    const struct poly *below = poly_subtract(t->arena, poly_constant(t->arena, low - 1), most);
    return (above && poly_nonnegative(t->syms, above, &bounds)) ||
           (below && poly_nonnegative(t->syms, below, &bounds)) ||
           (p && steps_over(t, ref, p, low, high));
}

/* One of the subscripts in declared bounds is another one. */
static bool other_index(const struct trace *t, const struct ref *ref, const struct ref *cell) {
    const struct value *a = located_address(t, ref), *b = located_address(t, cell);
    bool alike = a->nparts == b->nparts && a->poly && b->poly && poly_equal(a->poly, b->poly);
    for (int i = 0; i < a->nparts && alike; ++i) {
        alike = poly_equal(a->parts[i].stride, b->parts[i].stride) &&
                poly_equal(a->parts[i].extent, b->parts[i].extent);
    }
    for (int i = 0; i < a->nparts && alike; ++i) {
        long index;
        if (a->parts[i].index && poly_is_constant(b->parts[i].index, &index) &&
            avoids(t, ref, a->parts[i].index, index, index)) {
            return true;
        }
    }
    return false;
}

static bool misses(const struct trace *t, const struct ref *ref, const struct ref *cell,
                   const struct cell *place) {
    const struct poly *at = located_address(t, ref)->row ? NULL : located_address(t, ref)->poly;
    long begin, end, size;
    if (cell_place(t, ref, &begin, &end))
        return end <= place->begin || begin >= place->end;
    if (!poly_is_constant(ref->size, &size) || size <= 0)
        return false;
    for (int i = 0; i < located_address(t, ref)->nparts; ++i) {
        const struct part *part = &located_address(t, ref)->parts[i];
        at = poly_add(t->arena, at, poly_multiply(t->arena, part->index, part->stride));
    }
    return (at && avoids(t, ref, at, place->begin - size + 1, place->end - 1)) ||
           (size <= place->end - place->begin && other_index(t, ref, cell));
}

/* ---- which elements -------------------------------------------------------------------------- */

/* Does the text say the place by numbers, from the array's name on? */
static bool is_literal(const struct region *region, const struct expr *e) {
    if (e->kind == EXPR_VAR && region->var)
        return e->var == region->var;
    if (region->kind == REGION_POINTER && region->expr && expr_equal(e, region->expr))
        return true;
    bool step = e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_MEMBER || e->kind == EXPR_DEREF ||
                e->kind == EXPR_ADDRESS || e->kind == EXPR_CAST || e->kind == EXPR_BINARY;
    for (int i = 0; i < e->nargs && step; ++i)
        step = is_literal(region, e->args[i]);
    return step || e->kind == EXPR_INT;
}

static bool has_name(const struct region *region, const struct ref *ref, const struct ref *first) {
    return !ref->via && !ref->in_callee && !ref->header && ref->expr->range.exact &&
           type_is_same_number(ref->type, first->type) && is_literal(region, ref->expr);
}

/* The touches of the element that `first` writes; none when something else may reach it. */
static struct group cell_of(const struct trace *t, const struct region *region,
                            const struct group *all, const struct ref *first) {
    struct group group = {.cell = true};
    struct cell cell;
    if (!cell_place(t, first, &cell.begin, &cell.end))
        return (struct group){0};
    group.begin = cell.begin;
    group.end = cell.end;
    for (int i = 0; i < all->nrefs; ++i) {
        const struct ref *ref = &t->refs[all->refs[i]];
        long begin, end;
        if (cell_place(t, ref, &begin, &end) && begin == cell.begin && end == cell.end) {
            if (!has_name(region, ref, first))
                return (struct group){0};
            ARENA_PUSH(t->arena, group.refs, group.nrefs, all->refs[i]);
        } else if (!misses(t, ref, first, &cell)) {
            return (struct group){0};
        }
    }
    return group;
}

static bool is_array(const struct region *region) {
    return region->kind == REGION_POINTER ||
           (region->kind == REGION_VARIABLE && region->var->type->kind == TYPE_ARRAY);
}

static bool is_one_fold(const struct trace *t, const struct group *all) {
    const struct ref *first = &t->refs[all->refs[0]];
    bool one = first->reduction >= 0;
    for (int i = 0; i < all->nrefs && one; ++i) {
        const struct ref *ref = &t->refs[all->refs[i]];
        one = ref->reduction == first->reduction && type_is_same_number(ref->type, first->type);
    }
    return one;
}

/* Sums of one kind into elements: the array's copies hold them all. */
static bool is_one_array(const struct trace *t, const struct group *all) {
    int op = t->refs[all->refs[0]].reduction;
    const struct reduction_operator *row = reduction_operator(op);
    return row && row->in_elements && is_one_fold(t, all);
}

/* What is read first comes from an iteration before, wherever it is kept. */
static bool is_worth_it(const struct trace *t, const struct group *cell) {
    return cell->nrefs > 0 && (is_one_fold(t, cell) || t->refs[cell->refs[0]].write);
}

/* The user speaks of the array as one thing. */
static bool is_in_clause(const struct trace *t, const struct region *region) {
    const struct pragma *pragma = t->loop->pragma;
    const char *name = region->var    ? region->var->name
                       : region->expr ? expr_print(t->arena, region->expr)
                                      : "";
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        bool speaks = pragma->clauses[i].kind != CLAUSE_EXTENT;
        for (int n = 0; speaks && n < pragma->clauses[i].nnames; ++n)
            if (strcmp(pragma->clauses[i].names[n], name) == 0)
                return true;
    }
    return false;
}

int cells_split(const struct trace *t, const struct region *region, const struct group *all,
                struct group **groups, struct group *rest) {
    bool *taken = arena_alloc(t->arena, (size_t)(t->nrefs + 1) * sizeof *taken);
    bool folds = false;
    int ngroups = 0;
    *rest = (struct group){0};
    if (!is_array(region) || all->nrefs == 0 || is_one_array(t, all) || is_in_clause(t, region))
        return 0;
    for (int i = 0; i < all->nrefs; ++i) {
        const struct ref *ref = &t->refs[all->refs[i]];
        if (!ref->write || taken[all->refs[i]])
            continue;
        struct group cell = cell_of(t, region, all, ref);
        cell = is_worth_it(t, &cell) ? cell : (struct group){0};
        for (int j = 0; j < cell.nrefs; ++j) {
            taken[cell.refs[j]] = true;
            folds = folds || t->refs[cell.refs[j]].reduction >= 0;
        }
        if (cell.nrefs > 0)
            ARENA_PUSH(t->arena, *groups, ngroups, cell);
    }
    for (int i = 0; i < all->nrefs; ++i)
        if (!taken[all->refs[i]])
            ARENA_PUSH(t->arena, rest->refs, rest->nrefs, all->refs[i]);
    return ngroups > 0 && (rest->nrefs > 0 || folds) ? ngroups : (*groups = NULL, 0);
}
