/* Delinearization: does an offset split along given strides, and which strides are there. */
#include "analyzer/access/subscripts/layout.h"

#include "analyzer/budget.h"

#include <stdlib.h>
#include <string.h>

static bool is_varying(const struct trace *t, int sym) {
    return t->syms->items[sym]->kind != SYMBOL_PARAM;
}

/* The first varying symbol of p at or after monomial *from; -1 when there is none. */
static int next_varying(const struct trace *t, const struct poly *p, int *from) {
    for (; *from < p->nmonomials; (*from)++) {
        for (int j = 0; j < p->monomials[*from].nsyms; ++j)
            if (is_varying(t, p->monomials[*from].syms[j]))
                return p->monomials[*from].syms[j];
    }
    return -1;
}

/* The greatest value of the loop's variable, or the least one. */
static const struct poly *end_of(const struct interp_inner *loop, bool greatest) {
    if (loop->within && greatest == (loop->step > 0))
        return loop->within;
    return greatest ? loop->upper : loop->lower;
}

struct lower_bounds layout_facts(const struct trace *t, const struct ref *ref) {
    struct lower_bounds bounds = {0};
    for (int i = -1; i < ref->nloops; ++i) {
        const struct interp_inner *loop = &t->inner[i < 0 ? 0 : ref->loops[i]];
        lower_bounds_learn_order(t->syms, &bounds, loop->upper, loop->lower);
        lower_bounds_learn_order(t->syms, &bounds, end_of(loop, true), end_of(loop, false));
        long lower;
        if (loop->sym && poly_is_constant(loop->lower, &lower))
            lower_bounds_add(t->syms, &bounds, loop->sym->id, lower);
    }
    return bounds;
}

const struct poly *layout_bound(const struct trace *t, const struct ref *ref, const struct poly *p,
                                bool upper, const struct lower_bounds *bounds) {
    for (int i = ref->nloops - 1; i >= -1 && p; --i) {
        const struct interp_inner *loop = &t->inner[i < 0 ? 0 : ref->loops[i]];
        const struct poly *coeff, *rest;
        if (!loop->sym || !poly_split(t->arena, p, loop->sym->id, &coeff, &rest) ||
            coeff->nmonomials == 0) {
            continue;
        }
        bool up = poly_nonnegative(t->syms, coeff, bounds);
        if (!up && !poly_nonnegative(t->syms, poly_scale(t->arena, coeff, -1), bounds))
            return NULL;
        const struct poly *end = end_of(loop, up == upper);
        p = poly_add(t->arena, poly_multiply(t->arena, coeff, end), rest);
    }
    return p;
}

/* Takes out of *rest, which is invariant, what is a multiple of a stride of several terms, such as
 * rows of K + 1: by its leading term, then one row back when a negative number remains. */
static const struct poly *take_rows(const struct trace *t, const struct poly **rest,
                                    const struct poly *stride) {
    struct poly lead = {.nmonomials = 1, .monomials = &stride->monomials[0]};
    const struct poly *sub = poly_constant(t->arena, 0), *p = *rest;
    long number;
    for (int round = 0, i = 0; p && i < p->nmonomials && round < 8; ++i) {
        struct poly one = {.nmonomials = 1, .monomials = &p->monomials[i]};
        const struct poly *times = poly_divide(t->arena, &one, &lead);
        if (times) {
            sub = poly_add(t->arena, sub, times);
            p = poly_subtract(t->arena, p, poly_multiply(t->arena, times, stride));
            i = -1;
            ++round;
        }
    }
    if (poly_is_constant(p, &number) && number < 0) {
        sub = poly_add(t->arena, sub, poly_constant(t->arena, -1));
        p = poly_add(t->arena, p, stride);
    }
    *rest = p;
    return sub;
}

/* What is taken of a number: nothing but whole strides, or what lies nearest (`- 64 - 1` is the row
 * before and one element less), or what lies below. */
enum rounding { ROUND_NONE, ROUND_NEAREST, ROUND_DOWN };

/* How often the stride is in the coefficient `K + 1` of a diagonal's number, `a[i * K + i]`: NULL:
 * not. */
static const struct poly *times_in(const struct trace *t, const struct poly *coeff,
                                   const struct poly *stride) {
    long number;
    bool row = stride->nmonomials == 1 && stride->monomials[0].nsyms > 0;
    for (int i = 0; row && coeff->nmonomials > 1 && i < coeff->nmonomials; ++i) {
        struct poly one = {.nmonomials = 1, .monomials = &coeff->monomials[i]};
        const struct poly *times = poly_divide(t->arena, &one, stride);
        if (poly_is_constant(times, &number))
            return times;
    }
    return NULL;
}

/* Takes out of *rest what is a multiple of the stride. `round`: constants are split by rounding
 * down, else only whole multiples are taken. */
static const struct poly *take_multiples(const struct trace *t, const struct poly **rest,
                                         const struct poly *stride, enum rounding round) {
    struct arena *arena = t->arena;
    const struct poly *sub = poly_constant(arena, 0), *kept = poly_constant(arena, 0);
    const struct poly *coeff, *other, *p = *rest;
    long number, unit;
    int from = 0, sym;
    while ((sym = next_varying(t, p, &from)) >= 0) {
        if (!poly_split(arena, p, sym, &coeff, &other))
            return NULL;
        const struct poly *all = poly_multiply(arena, coeff, poly_sym(arena, t->syms->items[sym]));
        const struct poly *times = poly_divide(arena, coeff, stride);
        if (poly_is_constant(times, &number)) {
            sub = poly_add(arena, sub,
                           poly_multiply(arena, times, poly_sym(arena, t->syms->items[sym])));
        } else if ((times = times_in(t, coeff, stride))) {
            const struct poly *symbol = poly_sym(arena, t->syms->items[sym]);
            const struct poly *taken = poly_multiply(arena, times, symbol);
            sub = poly_add(arena, sub, taken);
            all = poly_subtract(arena, all, poly_multiply(arena, taken, stride));
            kept = poly_add(arena, kept, all);
        } else {
            kept = poly_add(arena, kept, all);
        }
        p = other;
        from = 0;
    }
    if (p && stride->nmonomials > 1 && round) {
        sub = poly_add(arena, sub, take_rows(t, &p, stride));
        *rest = poly_add(arena, kept, p);
        return sub;
    }
    for (int i = 0; p && i < p->nmonomials; ++i) {
        struct poly *one = arena_alloc(arena, sizeof *one);
        one->nmonomials = 1;
        one->monomials = &p->monomials[i];
        const struct poly *times = poly_divide(arena, one, stride);
        if (one->monomials[0].nsyms == 0 && round && poly_is_constant(stride, &unit) && unit > 0) {
            long c = one->monomials[0].coeff, up = c + (round == ROUND_NEAREST ? unit / 2 : 0);
            long down = up >= 0 ? up / unit : -((-up + unit - 1) / unit);
            sub = poly_add(arena, sub, poly_constant(arena, down));
            kept = poly_add(arena, kept, poly_constant(arena, c - down * unit));
        } else if (times && stride->nmonomials == 1) {
            sub = poly_add(arena, sub, times);
        } else {
            kept = poly_add(arena, kept, one);
        }
    }
    *rest = kept;
    return sub;
}

static bool has_key(const struct trace *t, const struct poly *p, bool *other) {
    bool key = false;
    *other = false;
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            key = key || (sym->kind == SYMBOL_KEY && !sym->on_inner && p->monomials[i].nsyms == 1);
            *other = *other || sym->kind == SYMBOL_LOOP ||
                     (sym->kind == SYMBOL_KEY && (sym->on_inner || p->monomials[i].nsyms > 1));
        }
    }
    return key;
}

/* Is p negative whenever the access is made? Then a check would only ever stop the run. */
static bool never_holds(const struct trace *t, const struct poly *p,
                        const struct lower_bounds *bounds) {
    const struct poly *below = poly_subtract(t->arena, poly_constant(t->arena, -1), p);
    return below && poly_nonnegative(t->syms, below, bounds);
}

/* Is `larger` something times the other, both without their coefficients? */
static bool is_times(const struct monomial *larger, const struct monomial *monomial) {
    int found = 0;
    for (int i = 0; i < larger->nsyms && found < monomial->nsyms; ++i)
        found += larger->syms[i] == monomial->syms[found];
    return found == monomial->nsyms && larger->nsyms > monomial->nsyms;
}

/* Is it, apart from its coefficient, part of one that is taken off? */
static bool is_covered(const struct poly *p, const struct monomial *monomial) {
    bool covered = false;
    for (int i = 0; i < p->nmonomials; ++i)
        covered = covered || (monomial->nsyms > 0 && p->monomials[i].coeff < 0 &&
                              is_times(&p->monomials[i], monomial));
    return covered;
}

/*
 * Hardly any run has it: rows in shorter ones, `K >= T * K + ...`, `K + 1 >= K * K`, or behind
 * their end, `0 >= C`. Whatever is added, but for a small number beside something else, is taken
 * off again with a factor.
 */
static bool is_odd(const struct poly *p) {
    enum { SMALL = 1 << 10 };
    bool odd = false, adds = false, number = false;
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct monomial *monomial = &p->monomials[i];
        const bool small = monomial->nsyms == 0 && monomial->coeff <= SMALL;
        const bool covered = is_covered(p, monomial);
        if (monomial->coeff > 0 && !covered && !small)
            return false;
        number = number || (monomial->coeff > 0 && small);
        adds = adds || (monomial->coeff > 0 && covered);
        odd = odd || monomial->nsyms > 0;
    }
    return odd && (adds || !number);
}

/* p >= 0: proved, or left for the run to check. */
static bool require(const struct trace *t, struct fit *fit, const struct poly *p,
                    const struct lower_bounds *bounds) {
    bool other;
    if (!p || never_holds(t, p, bounds))
        return false;
    if (meaning_proves(t, p, bounds))
        return true;
    bool key = has_key(t, p, &other);
    if (other || is_odd(p) || fit->nobligations == 2 * LAYOUT_DIMS)
        return false;
    fit->obligations[fit->nobligations++] = (struct obligation){p, key};
    return true;
}

/* How far the closed parts below a level reach. */
static const struct poly *parts_below(const struct trace *t, const struct layout *layout,
                                      const struct value *address, int level) {
    const struct poly *high = poly_constant(t->arena, 0);
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        bool above = false;
        for (int d = 0; d <= level; ++d)
            above = above || poly_equal(layout->stride[d], part->stride);
        if (!above) {
            const struct poly *last = poly_add(t->arena, part->extent, poly_constant(t->arena, -1));
            high = poly_add(t->arena, high, poly_multiply(t->arena, last, part->stride));
        }
    }
    return high;
}

/* The lengths of rows below `level` are none of them negative: left for the run to check where it
 * is not known, as of a length that no loop of the access counts up to. */
static void require_lengths(const struct trace *t, const struct layout *layout, int level,
                            struct lower_bounds *bounds, struct fit *fit) {
    for (int d = level + 1; d < layout->n - 1; ++d) {
        const struct poly *stride = layout->stride[d];
        if (stride->nmonomials == 1 && stride->monomials[0].nsyms == 1 &&
            stride->monomials[0].coeff > 0 && poly_is_invariant(t->syms, stride) &&
            require(t, fit, stride, bounds)) {
            lower_bounds_learn(t->syms, bounds, stride);
        }
    }
}

/* Does [rest, rest + size) stay inside one step of the stride at `level`? */
static bool stays_inside(const struct trace *t, const struct layout *layout, const struct ref *ref,
                         int level, const struct poly *rest, struct fit *fit) {
    struct lower_bounds bounds = layout_facts(t, ref);
    const struct poly *parts = parts_below(t, layout, located_address(t, ref), level);
    const struct poly *low = layout_bound(t, ref, rest, false, &bounds);
    const struct poly *high = layout_bound(t, ref, rest, true, &bounds);
    if (!low || !high) {
        require_lengths(t, layout, level, &bounds, fit);
        low = layout_bound(t, ref, rest, false, &bounds);
        high = layout_bound(t, ref, rest, true, &bounds);
    }
    high = poly_add(t->arena, poly_add(t->arena, high, parts), ref->size);
    return require(t, fit, low, &bounds) &&
           require(t, fit, poly_subtract(t->arena, layout->stride[level], high), &bounds);
}

static void place_parts(const struct trace *t, const struct layout *layout,
                        const struct value *address, struct fit *fit) {
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        for (int d = 0; d < layout->n; ++d) {
            if (!poly_equal(layout->stride[d], part->stride))
                continue;
            fit->unknown[d] = fit->unknown[d] || !part->index;
            fit->subs[d] = poly_add(t->arena, fit->subs[d], part->index);
            break;
        }
    }
}

/*
 * A walk that ends at a row's end counts back from the next row's beginning, and one that begins at
 * j - 1 only seems to begin before its row: the same place, `rows` steps of the stride further on.
 * Taken when nothing is left to check then.
 */
static bool stays_in_other_row(const struct trace *t, const struct layout *layout,
                               const struct ref *ref, int level, long rows,
                               const struct poly **rest, struct fit *fit) {
    int obligations = fit->nobligations;
    const struct poly *stride = layout->stride[level];
    const struct poly *moved = poly_subtract(t->arena, *rest, poly_scale(t->arena, stride, rows));
    long number;
    if (poly_is_constant(stride, &number) || !stays_inside(t, layout, ref, level, moved, fit) ||
        fit->nobligations > obligations) {
        fit->nobligations = obligations;
        return false;
    }
    *rest = moved;
    fit->subs[level] = poly_add(t->arena, fit->subs[level], poly_constant(t->arena, rows));
    return true;
}

static bool fit_level(const struct trace *t, const struct layout *layout, const struct ref *ref,
                      int level, const struct poly **rest, struct fit *fit) {
    int obligations = fit->nobligations;
    bool inside = stays_inside(t, layout, ref, level, *rest, fit);
    if (inside && fit->nobligations == obligations)
        return true;
    struct fit before = *fit;
    fit->nobligations = obligations;
    if (stays_in_other_row(t, layout, ref, level, -1, rest, fit) ||
        stays_in_other_row(t, layout, ref, level, 1, rest, fit)) {
        return true;
    }
    *fit = before;
    fit->nobligations = inside ? fit->nobligations : obligations;
    return inside;
}

static bool fit_rounding(const struct trace *t, const struct layout *layout, const struct ref *ref,
                         enum rounding round, struct fit *fit) {
    const struct poly *rest = located_address(t, ref)->poly;
    long offset, size, stride;
    memset(fit, 0, sizeof *fit);
    fit->field_size = -1;
    if (!rest) {
        fit->why = located_address(t, ref)->why;
        return false;
    }
    int depth = layout->n;
    for (int d = 0; d < layout->n; ++d) {
        bool last = d == layout->n - 1;
        fit->subs[d] = take_multiples(t, &rest, layout->stride[d], last ? ROUND_DOWN : round);
        if (!fit->subs[d] || !rest)
            return false;
        if (d < depth && !last && !fit_level(t, layout, ref, d, &rest, fit))
            depth = d;
    }
    const struct poly *parts = parts_below(t, layout, located_address(t, ref), layout->n - 1);
    bool whole = poly_is_constant(parts, &size) && size == 0;
    bool known = poly_is_constant(rest, &offset) && whole && poly_is_constant(ref->size, &size) &&
                 poly_is_constant(layout->stride[layout->n - 1], &stride);
    if (depth == layout->n && !(known && offset >= 0 && offset + size <= stride)) {
        int obligations = fit->nobligations;
        depth = layout->n - 1;
        bool inside = stays_inside(t, layout, ref, depth, rest, fit);
        fit->nobligations = inside ? fit->nobligations : obligations;
        if (inside && poly_is_constant(rest, &offset)) {
            const struct poly *all = poly_add(t->arena, parts, ref->size);
            depth = layout->n;
            if (poly_is_constant(all, &size))
                known = true;
        }
    }
    place_parts(t, layout, located_address(t, ref), fit);
    fit->nsubs = depth;
    if (depth == layout->n && known) {
        fit->field_offset = offset;
        fit->field_size = size;
    }
    return depth > 0;
}

bool layout_fit(const struct trace *t, const struct layout *layout, const struct ref *ref,
                struct fit *fit) {
    struct fit other;
    bool fits = false;
    for (int round = ROUND_DOWN; round >= ROUND_NONE; --round) {
        if (fit_rounding(t, layout, ref, (enum rounding)round, &other) &&
            (!fits || other.nsubs > fit->nsubs)) {
            *fit = other;
            fits = true;
        }
        if (fits && fit->nsubs == layout->n)
            return true;
    }
    if (!fits)
        *fit = other;
    return fits;
}

/* ---- accesses that fit alike ----------------------------------------------------------------- */

static bool are_parts_alike(const struct value *x, const struct value *y) {
    bool same = x->nparts == y->nparts;
    for (int i = 0; i < x->nparts && same; ++i) {
        const struct part *a = &x->parts[i], *b = &y->parts[i];
        same = poly_equal(a->stride, b->stride) && poly_equal(a->extent, b->extent) &&
               poly_equal(a->index, b->index);
    }
    return same;
}

/* All that layout_fit looks at is the same. */
static bool is_alike(const struct trace *t, const struct ref *a, const struct ref *b) {
    const struct value *x = located_address(t, a), *y = located_address(t, b);
    bool same = x->poly && a->nloops == b->nloops && poly_equal(x->poly, y->poly) &&
                poly_equal(a->size, b->size) && are_parts_alike(x, y);
    for (int i = 0; i < a->nloops && same; ++i)
        same = a->loops[i] == b->loops[i];
    return same;
}

int *layout_alike(const struct trace *t, int nrefs, const int *refs) {
    enum { MOST = 256, COMPARED_PER_STEP = 4 };
    int *alike = arena_alloc(t->arena, (size_t)(nrefs + 1) * sizeof *alike), seen[MOST], nseen = 0;
    for (int i = 0; i < nrefs; ++i) {
        alike[i] = i;
        budget_spend(nseen / COMPARED_PER_STEP);
        for (int j = 0; j < nseen && alike[i] == i; ++j)
            if (is_alike(t, &t->refs[refs[i]], &t->refs[refs[seen[j]]]))
                alike[i] = seen[j];
        if (alike[i] == i && nseen < MOST)
            seen[nseen++] = i;
    }
    return alike;
}

/* ---- which strides --------------------------------------------------------------------------- */

struct strides {
    int n;
    const struct poly *items[LAYOUT_DIMS];
};

static void strides_add(struct strides *s, const struct poly *stride) {
    if (!stride || stride->nmonomials == 0 || stride->monomials[0].coeff < 0 || s->n == LAYOUT_DIMS)
        return;
    for (int i = 0; i < s->n; ++i)
        if (poly_equal(s->items[i], stride))
            return;
    s->items[s->n++] = stride;
}

static bool is_larger(const struct poly *a, const struct poly *b) {
    if (a->monomials[0].nsyms != b->monomials[0].nsyms)
        return a->monomials[0].nsyms > b->monomials[0].nsyms;
    return a->monomials[0].coeff > b->monomials[0].coeff;
}

static void strides_sort(struct strides *s) {
    for (int i = 1; i < s->n; ++i) {
        for (int j = i; j > 0 && is_larger(s->items[j], s->items[j - 1]); --j) {
            const struct poly *moved = s->items[j];
            s->items[j] = s->items[j - 1];
            s->items[j - 1] = moved;
        }
    }
}

/* A row of several elements may be stepped over at once: 2*K*i counts rows of K by twos. */
static const struct poly *primitive(const struct trace *t, const struct poly *stride, long unit) {
    long content = poly_content(stride);
    if (unit <= 0 || content <= unit || content % unit != 0)
        return NULL;
    return poly_divide(t->arena, poly_scale(t->arena, stride, unit),
                       poly_constant(t->arena, content));
}

static void strides_of(const struct trace *t, const struct ref *ref, long unit, struct strides *s) {
    const struct poly *p = located_address(t, ref)->poly, *coeff, *rest;
    int from = 0, sym;
    for (int i = 0; i < located_address(t, ref)->nparts; ++i)
        strides_add(s, located_address(t, ref)->parts[i].stride);
    while (p && (sym = next_varying(t, p, &from)) >= 0) {
        if (!poly_split(t->arena, p, sym, &coeff, &rest))
            return;
        if (coeff->nmonomials > 0 && coeff->monomials[0].coeff < 0)
            coeff = poly_scale(t->arena, coeff, -1);
        if (poly_is_invariant(t->syms, coeff)) {
            strides_add(s, coeff);
            strides_add(s, primitive(t, coeff, unit));
        }
        p = rest;
        from = 0;
    }
}

/* Does the text go from row to row? Else the width is that of the elements that were allocated. */
static bool steps_by(const struct trace *t, const struct ref *ref, const struct poly *row) {
    struct strides s = {0};
    bool found = false;
    strides_of(t, ref, 0, &s);
    for (int i = 0; i < s.n; ++i)
        found = found || poly_equal(s.items[i], row);
    return found;
}

/*
 * Something is set (not only added to) in rows whose width is a number, `a[i * 64 + k]`: that k
 * stays below it is what such a text means, and worth a check.
 */
static bool sets_rows(const struct trace *t, const struct layout *layout, int nrefs,
                      const int *refs) {
    long row, unit;
    bool wide = layout->n > 1 && poly_is_constant(layout->stride[layout->n - 2], &row) &&
                poly_is_constant(layout->stride[layout->n - 1], &unit) && row >= ROW_LEAST * unit;
    bool set = false, stepped = false;
    for (int i = 0; wide && i < nrefs; ++i) {
        const struct ref *ref = &t->refs[refs[i]];
        set = set || (ref->write && ref->reduction < 0);
        stepped = stepped || steps_by(t, ref, layout->stride[layout->n - 2]);
    }
    return set && stepped;
}

/* What one access adds to a score. */
struct part_of_score {
    int fitted, complete, obligations;
};

struct score layout_score(const struct trace *t, const struct layout *layout, int nrefs,
                          const int *refs) {
    struct score score = {.dims = layout->n, .rows = sets_rows(t, layout, nrefs, refs)};
    const struct arena_mark start = arena_mark(t->arena);
    const int *alike = layout_alike(t, nrefs, refs);
    struct part_of_score *parts = arena_alloc(t->arena, (size_t)(nrefs + 1) * sizeof *parts);
    for (int i = 0; i < nrefs; ++i) {
        const struct arena_mark mark = arena_mark(t->arena);
        struct fit fit;
        if (alike[i] == i && layout_fit(t, layout, &t->refs[refs[i]], &fit))
            parts[i] = (struct part_of_score){1, fit.nsubs == layout->n, fit.nobligations};
        arena_rewind(t->arena, mark);
        const struct part_of_score *part = &parts[alike[i]];
        score.fitted += part->fitted;
        score.complete += part->complete;
        score.obligations += part->obligations;
    }
    arena_rewind(t->arena, start);
    return score;
}

bool layout_is_better(const struct score *a, const struct score *b) {
    if (a->fitted != b->fitted)
        return a->fitted > b->fitted;
    if (a->complete != b->complete)
        return a->complete > b->complete;
    if (!a->rows && !b->rows && (a->obligations > 0) != (b->obligations > 0))
        return a->obligations == 0;
    return a->dims > b->dims;
}

/* Does the best one fit all accesses to the end, unchecked? Then only more subscripts are better. */
static bool fits_all(const struct score *best, int nrefs) {
    return best->fitted == nrefs && best->complete == nrefs && best->obligations == 0;
}

/* The best of those strides, in their order or some of them left out. */
static void choose_of(const struct trace *t, const struct strides *s, int nrefs, const int *refs,
                      struct layout *best, struct score *best_score) {
    for (int mask = (1 << s->n) - 1; mask > 0; --mask) {
        struct layout layout = {0};
        for (int i = 0; i < s->n; ++i)
            if (mask & (1 << (s->n - 1 - i)))
                layout.stride[layout.n++] = s->items[i];
        if (fits_all(best_score, nrefs) && layout.n <= best_score->dims)
            continue;
        struct score score = layout_score(t, &layout, nrefs, refs);
        if (layout_is_better(&score, best_score)) {
            *best = layout;
            *best_score = score;
        }
    }
}

/* Of two lengths that only the run knows either may be the row and the other what is in it. */
static void choose_otherwise(const struct trace *t, const struct strides *s, int nrefs,
                             const int *refs, struct layout *best, struct score *best_score) {
    for (int i = 0; i + 1 < s->n && best_score->complete < nrefs; ++i) {
        if (s->items[i]->monomials[0].nsyms > 0 && !is_larger(s->items[i], s->items[i + 1])) {
            struct strides swapped = *s;
            swapped.items[i] = s->items[i + 1];
            swapped.items[i + 1] = s->items[i];
            choose_of(t, &swapped, nrefs, refs, best, best_score);
        }
    }
}

struct layout layout_choose(const struct trace *t, const struct type *element, int nrefs,
                            const int *refs) {
    struct strides s = {0};
    long unit = element ? element->size : 0;
    if (unit <= 0 && nrefs > 0 && t->refs[refs[0]].type)
        unit = t->refs[refs[0]].type->size;
    strides_add(&s, poly_constant(t->arena, unit > 0 ? unit : 1));
    for (int i = 0; i < nrefs; ++i)
        strides_of(t, &t->refs[refs[i]], unit, &s);
    strides_sort(&s);
    struct layout best = {0};
    struct score best_score = {.fitted = -1};
    choose_of(t, &s, nrefs, refs, &best, &best_score);
    choose_otherwise(t, &s, nrefs, refs, &best, &best_score);
    return best;
}
