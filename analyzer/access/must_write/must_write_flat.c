/*
 * Coverage by one stretch of memory, where subscripts are products that isl does not take: the
 * bytes from the first to the last that a loop fills, held against the least and greatest offset.
 */
#include "analyzer/access/must_write/must_write.h"
#include "analyzer/access/subscripts/layout.h"

/* The common loops are where they are at `read`: it comes after all of the write's own rounds. */
int must_write_common_loops(const struct ref *a, const struct ref *b) {
    int n = 0;
    while (n < a->nloops && n < b->nloops && a->loops[n] == b->loops[n])
        ++n;
    return n;
}

static bool has_condition(const struct ref *read, const struct condition *c) {
    for (int i = 0; i < read->nconditions; ++i) {
        const struct condition *own = &read->conditions[i];
        if (own->value == c->value && own->sense == c->sense)
            return true;
    }
    return false;
}

static bool is_done_before(const struct ref *write, const struct ref *read, int common) {
    for (int i = 0; i < write->nconditions; ++i) {
        const struct condition *c = &write->conditions[i];
        if (!c->trip && (c->depth > common || !has_condition(read, c)))
            return false;
    }
    return write < read;
}

/* p without the variables of the loops; NULL: another value varies in it. */
static const struct poly *fixed_part(const struct trace *t, const struct poly *p) {
    return p && poly_is_invariant(t->syms, p) ? p : NULL;
}

/*
 * The write fills [*low, *high): its last loop goes over neighbouring elements one by one, and is
 * the only one that its address depends on.
 */
static bool stretch_of(const struct trace *t, const struct ref *write, int common,
                       const struct poly **low, const struct poly **high) {
    long size, by;
    const struct poly *coeff, *rest;
    if (write->nloops != common + 1 || located_address(t, write)->nparts > 0 ||
        !located_address(t, write)->poly || located_address(t, write)->row ||
        !poly_is_constant(write->size, &size)) {
        return false;
    }
    const struct interp_inner *loop = &t->inner[write->loops[common]];
    if (loop->step != 1 || loop->may_skip || !loop->lower || !loop->upper ||
        !poly_split(t->arena, located_address(t, write)->poly, loop->sym->id, &coeff, &rest) ||
        !poly_is_constant(coeff, &by) || by != size) {
        return false;
    }
    const struct poly *end = poly_add(t->arena, loop->upper, poly_constant(t->arena, 1));
    *low = fixed_part(t, poly_add(t->arena, poly_scale(t->arena, loop->lower, size), rest));
    *high = fixed_part(t, poly_add(t->arena, poly_scale(t->arena, end, size), rest));
    return *low && *high;
}

/* In every iteration, whatever its data is. */
static bool is_always_done(const struct ref *write) {
    for (int i = 0; i < write->nconditions; ++i)
        if (!write->conditions[i].trip)
            return false;
    return true;
}

static bool is_filled(const struct trace *t, int at, bool always) {
    const struct ref *read = &t->refs[at];
    struct lower_bounds bounds = layout_facts(t, read);
    if (!located_address(t, read)->poly || located_address(t, read)->nparts > 0 ||
        located_address(t, read)->row || !read->size)
        return false;
    const struct poly *first =
        layout_bound(t, read, located_address(t, read)->poly, false, &bounds);
    const struct poly *last = layout_bound(t, read, located_address(t, read)->poly, true, &bounds);
    last = poly_add(t->arena, last, read->size);
    for (int i = 0; i < (always ? t->nrefs : at) && first && last; ++i) {
        const struct ref *write = &t->refs[i];
        const struct poly *low, *high;
        int common = always ? 0 : must_write_common_loops(write, read);
        if (write->write && !write->partial && !write->header &&
            located(t, write)->object == located(t, read)->object &&
            (always ? is_always_done(write) : is_done_before(write, read, common)) &&
            stretch_of(t, write, common, &low, &high) &&
            poly_nonnegative(t->syms, poly_subtract(t->arena, first, low), &bounds) &&
            poly_nonnegative(t->syms, poly_subtract(t->arena, high, last), &bounds)) {
            return true;
        }
    }
    return false;
}

bool must_write_flat(const struct trace *t, int at) {
    return is_filled(t, at, false);
}

bool must_write_flat_always(const struct trace *t, int at) {
    return is_filled(t, at, true);
}

bool must_write_flat_from_base(const struct trace *t, int at) {
    const struct ref *ref = &t->refs[at];
    struct lower_bounds bounds = layout_facts(t, ref);
    if (!located_address(t, ref)->poly || located_address(t, ref)->nparts > 0 ||
        located_address(t, ref)->row)
        return false;
    const struct poly *first = layout_bound(t, ref, located_address(t, ref)->poly, false, &bounds);
    return first && poly_nonnegative(t->syms, first, &bounds);
}
