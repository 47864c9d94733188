/* References -> objects and accesses of the facts. */
#include "analyzer/access/internal.h"
#include "analyzer/access/subscripts/layout.h"

#include <string.h>

static bool is_fixed(const struct trace *t, const struct ref *ref, long *begin, long *end) {
    const struct value *address = located_address(t, ref);
    long size;
    if (address->nparts > 0 || !poly_is_constant(address->poly, begin) ||
        !poly_is_constant(ref->size, &size)) {
        return false;
    }
    *end = *begin + size;
    return true;
}

/* All touches; or what is folded into and what is only read, where these are different members. */
static int groups_whole(const struct trace *t, const struct region *region, const struct group *all,
                        struct group **groups) {
    bool *folds = arena_alloc(t->arena, (size_t)(all->nrefs + 1) * sizeof *folds);
    bool rows = region->kind == REGION_ROWS && region->ntables == 1;
    bool memory = rows || region->kind == REGION_VARIABLE || region->kind == REGION_POINTER;
    struct group parts[2] = {0};
    int ngroups = 0;
    if (all->nrefs == 0)
        return 0;
    if (!memory || !reduce_splits(t, region, all->nrefs, all->refs, folds)) {
        parts[0] = *all;
    } else {
        for (int i = 0; i < all->nrefs; ++i) {
            struct group *part = &parts[folds[i]];
            ARENA_PUSH(t->arena, part->refs, part->nrefs, all->refs[i]);
        }
    }
    for (int i = 0; i < 2; ++i)
        parts[i].parted = rows && parts[1 - i].nrefs > 0;
    for (int i = 0; i < 2; ++i)
        if (parts[i].nrefs > 0)
            ARENA_PUSH(t->arena, *groups, ngroups, parts[i]);
    return ngroups;
}

/* The array, and single elements of it that are something of their own. */
static int groups_apart(const struct trace *t, const struct region *region, const struct group *all,
                        bool whole, struct group **groups) {
    struct group *cells = NULL, rest;
    int ncells = whole ? 0 : cells_split(t, region, all, &cells, &rest);
    int ngroups = groups_whole(t, region, ncells > 0 ? &rest : all, groups);
    for (int i = 0; i < ncells; ++i)
        ARENA_PUSH(t->arena, *groups, ngroups, cells[i]);
    return ngroups;
}

/* The parts of a structure that are touched apart. */
static int groups_of(const struct trace *t, const struct region *region, struct group **groups) {
    struct group all = {0};
    bool folds = false, fixed = true;
    long begin, end;
    for (int i = 0; i < t->nrefs; ++i) {
        if (t->refs[i].address->region == region) {
            folds = folds || t->refs[i].reduction >= 0;
            fixed = fixed && is_fixed(t, &t->refs[i], &begin, &end);
            ARENA_PUSH(t->arena, all.refs, all.nrefs, i);
        }
    }
    bool *apart = arena_alloc(t->arena, (size_t)(all.nrefs + 1) * sizeof *apart);
    bool copied = folds && !fixed && reduce_splits(t, region, all.nrefs, all.refs, apart);
    int ngroups = copied ? 0 : members_split(t, region, &all, groups);
    return ngroups > 0 ? ngroups : groups_apart(t, region, &all, copied, groups);
}

static enum object_kind kind_of(const struct region *region, bool split) {
    switch (region->kind) {
    case REGION_VARIABLE:
        return split || (region->var->type->kind != TYPE_ARRAY &&
                         region->var->type->kind != TYPE_VLA)
                   ? OBJECT_SCALAR
                   : OBJECT_ARRAY;
    case REGION_POINTER:
        return split ? OBJECT_SCALAR : OBJECT_POINTER;
    case REGION_ROWS:
        return OBJECT_ROWS;
    default:
        return OBJECT_UNKNOWN;
    }
}

static struct expr *base_of(const struct trace *t, const struct region *region) {
    if (region->kind != REGION_VARIABLE)
        return region->expr;
    struct expr *e = expr_new(t->arena, EXPR_VAR, region->var->type, region->var->range);
    e->var = region->var;
    return e;
}

/* Of the ways in which the text says an element, the one to show. */
static struct expr *shortest(const struct trace *t, const struct group *group) {
    struct expr *best = t->refs[group->refs[0]].expr;
    for (int i = 1; i < group->nrefs; ++i) {
        struct expr *other = t->refs[group->refs[i]].expr;
        if (strlen(expr_print(t->arena, other)) < strlen(expr_print(t->arena, best)))
            best = other;
    }
    return best;
}

/* How far apart the pointers of each table stand, where they stand in structures. */
static void set_steps(const struct region *region, struct object *object) {
    const struct region *outer = region->ntables > 1 ? region->table : region;
    if (region->kind == REGION_ROWS && *outer->path) {
        object->table_at = outer->at;
        object->table_step = outer->step;
    }
    if (region->kind == REGION_ROWS && region->ntables > 1 && *region->path) {
        object->inner_at = region->at;
        object->inner_step = region->step;
    }
}

static struct object *object_new(const struct trace *t, const struct region *region,
                                 const struct group *group, bool split) {
    struct object_behind *behind = arena_alloc(t->arena, sizeof *behind);
    struct object *object = &behind->object;
    behind->region = region;
    object->kind = kind_of(region, split);
    object->name = region_name(t, region);
    const struct region *named = rows_outermost(region);
    object->ntables = region->ntables;
    object->var = named->var;
    object->base = base_of(t, region);
    object->element = region->element;
    object->parted = group->parted;
    object->captured = object->var && !named->in_callee && !group->parted;
    set_steps(region, object);
    if (region->kind == REGION_VARIABLE && region->var->type->size >= 0)
        object->size_text = arena_printf(t->arena, "%ld", region->var->type->size);
    const struct ref *first = &t->refs[group->refs[0]];
    if (split && first->type && group->end - group->begin == first->type->size &&
        first->expr->kind == EXPR_MEMBER && !first->partial) {
        object->name = expr_print(t->arena, first->expr);
        object->base =
            located_address(t, first)->pure ? located_address(t, first)->pure : first->expr;
        object->name = expr_print(t->arena, object->base);
        object->element = first->type;
    }
    if (group->cell) {
        object->base = shortest(t, group);
        object->name = expr_print(t->arena, object->base);
        object->element = first->type;
        object->var = NULL;
        behind->cell = true;
    }
    if (split) {
        object->size_text = arena_printf(t->arena, "%ld", group->end - group->begin);
        object->captured = object->captured && region->kind == REGION_VARIABLE;
    }
    if (group->member) {
        object->kind = OBJECT_POINTER;
        object->ntables = 0;
        object->name = expr_print(t->arena, group->member);
        object->base = group->member;
        object->var = NULL;
        object->captured = false;
        object->element = group->member->type;
        while (object->element->kind == TYPE_ARRAY)
            object->element = object->element->element;
        object->size_text = arena_printf(t->arena, "%ld", group->member->type->size);
    }
    object->id = t->facts->nobjects;
    ARENA_PUSH(t->arena, t->facts->objects, t->facts->nobjects, object);
    return object;
}

static bool is_implied(const struct expr *known, const struct expr *guard, bool sense) {
    return sense ? facts_implies(known, guard) : facts_excludes(known, guard);
}

const char *access_key_conditions(const struct trace *t, const struct poly *p,
                                  const struct expr *known) {
    const char *text = "";
    for (int i = 0; i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            bool some = sym->kind == SYMBOL_KEY && sym->impure_guard;
            for (int g = 0; !some && g < sym->nguards; ++g) {
                if (is_implied(known, sym->guards[g], sym->sense[g]))
                    continue;

                text = arena_printf(t->arena, "%s%s(%s) || ", text, sym->sense[g] ? "!" : "",
                                    expr_print(t->arena, sym->guards[g]));
            }
        }
    }
    return text;
}

/* What of the obligation is not known already, or NULL. */
static const struct poly *open_obligation(const struct trace *t, const struct poly *obligation) {
    const struct lower_bounds none = {0};
    bool keys;
    const struct poly *p = assumed_least(t, obligation, &keys);
    if (p && poly_nonnegative(t->syms, p, &none))
        return NULL;
    return p && !keys ? p : obligation;
}

/* Can the run be asked all of it: are the keys in it evaluated where it can be told? */
static bool can_be_asked(const struct trace *t, const struct fit *fit) {
    for (int o = 0; o < fit->nobligations; ++o) {
        const struct poly *p = open_obligation(t, fit->obligations[o].poly);
        for (int i = 0; p && i < p->nmonomials; ++i) {
            for (int j = 0; j < p->monomials[i].nsyms; ++j) {
                const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
                if (sym->kind == SYMBOL_KEY && sym->impure_guard && !access_sym_is_safe(t, sym))
                    return false;
            }
        }
    }
    return true;
}

/* What an access asks of the run; of a key only in iterations that get to the access. */
static void add_obligations(const struct trace *t, struct object *object, const struct fit *fit,
                            const struct ref *ref) {
    for (int i = 0; i < fit->nobligations; ++i) {
        const struct poly *p = open_obligation(t, fit->obligations[i].poly);
        if (!p)
            continue;
        bool key = fit->obligations[i].key && p == fit->obligations[i].poly;
        const char *path = key && ref->guard ? arena_printf(t->arena, "!(%s) || ",
                                                            expr_print(t->arena, ref->guard))
                                             : "";
        const char *text =
            arena_printf(t->arena, "%s%s%s", path, access_key_conditions(t, p, ref->guard),
                         access_condition(t, p));
        int before = t->facts->nguards;
        int at =
            guard_add(t->facts, key ? GUARD_KEY_RANGE : GUARD_CONDITION, object, NULL, false, text);
        guard_needed(t, at, at == before, ref->when);
        guard_computes(t, p);
    }
}

enum { ENDS_MOST = 4 };

/* Ends of subscripts of which none is known to be the greatest. */
struct ends {
    const struct poly *greatest[ENDS_MOST];
    int n;
};

static bool is_least(const struct trace *t, const struct poly *least, const struct poly *other,
                     const struct lower_bounds *bounds) {
    return poly_nonnegative(t->syms, poly_subtract(t->arena, other, least), bounds);
}

/* `upper` takes the place of those that it is not below, unless it is not above another. */
static bool add_end(const struct trace *t, struct ends *ends, const struct poly *upper,
                    const struct lower_bounds *bounds) {
    int kept = 0;
    for (int i = 0; i < ends->n; ++i)
        if (is_least(t, upper, ends->greatest[i], bounds))
            return true;
    for (int i = 0; i < ends->n; ++i)
        if (!is_least(t, ends->greatest[i], upper, bounds))
            ends->greatest[kept++] = ends->greatest[i];
    ends->n = kept;
    if (kept == ENDS_MOST)
        return false;
    ends->greatest[ends->n++] = upper;
    return true;
}

/* The greatest subscript `d` through tables of all accesses, -1: the outermost one inside of a row;
 * n = 0: it is not known. */
static struct ends ends_from_ranges(const struct trace *t, const struct group *group, int d,
                                    const struct fit *fits) {
    const struct ends none = {0};
    struct ends ends = {0};
    for (int i = 0; i < group->nrefs; ++i) {
        const struct ref *ref = &t->refs[group->refs[i]];
        const struct poly *sub = d >= 0              ? rows_subscript(located_address(t, ref), d)
                                 : fits[i].nsubs > 0 ? fits[i].subs[0]
                                                     : NULL;
        if (!sub)
            return none;
        struct lower_bounds bounds = layout_facts(t, ref);
        const struct poly *upper = layout_bound(t, ref, sub, true, &bounds);
        const struct poly *lower = layout_bound(t, ref, sub, false, &bounds);
        if (!upper || !poly_is_invariant(t->syms, upper) || !lower ||
            !poly_nonnegative(t->syms, lower, &bounds) || !add_end(t, &ends, upper, &bounds))
            return none;
    }
    return ends;
}

static void set_extent(const struct trace *t, struct object_dim *dim, const struct poly *extent) {
    long number;
    dim->extent_text = extent ? poly_text(t->syms, extent, true) : NULL;
    dim->single = poly_is_constant(extent, &number) && number == 1;
}

/* One more than the greatest subscript: `v[0]` beside `v[c]`, c < k, has the greater of 1 and k. */
static void set_extent_of_ends(const struct trace *t, struct object_dim *dim,
                               const struct ends *ends) {
    const struct poly *one = poly_constant(t->arena, 1);
    set_extent(t, dim, ends->n > 0 ? poly_add(t->arena, ends->greatest[0], one) : NULL);
    for (int i = 1; i < ends->n; ++i) {
        const char *next = poly_text(t->syms, poly_add(t->arena, ends->greatest[i], one), true);
        dim->extent_text = arena_printf(t->arena, "((%s) > (%s) ? (%s) : (%s))", dim->extent_text,
                                        next, dim->extent_text, next);
        dim->single = false;
    }
}

static void set_dims(const struct trace *t, struct object *object, const struct group *group,
                     const struct layout *layout, const struct fit *fits) {
    int first = object->ntables;
    object->ndims = layout->n + first;
    object->dims = arena_alloc(t->arena, (size_t)(object->ndims + 1) * sizeof *object->dims);
    for (int d = 0; d < layout->n; ++d) {
        struct object_dim *dim = &object->dims[d + first];
        dim->stride_text = poly_text(t->syms, layout->stride[d], true);
        if (d > 0)
            set_extent(t, dim, poly_divide(t->arena, layout->stride[d - 1], layout->stride[d]));
    }
    if (layout->n > 0) {
        const struct ends ends = ends_from_ranges(t, group, -1, fits);
        set_extent_of_ends(t, &object->dims[first], &ends);
    }
    for (int d = 0; d < first; ++d) {
        const struct ends ends = ends_from_ranges(t, group, d, fits);
        set_extent_of_ends(t, &object->dims[d], &ends);
    }
    const struct type *type = object->var ? object->var->type : NULL;
    long stride;
    if (object->kind == OBJECT_ARRAY && layout->n > 0 && type->size > 0 &&
        poly_is_constant(layout->stride[0], &stride) && type->size % stride == 0) {
        object->dims[0].extent_text = arena_printf(t->arena, "%ld", type->size / stride);
        object->dims[0].single = type->size == stride;
    }
}

static struct subscript subscript_of(const struct trace *t, const struct poly *p, const char *why) {
    struct subscript sub = {.why_not = why};
    sub.value = access_affine(t, p, &sub.known, &sub.why_not);
    if (sub.known)
        sub.why_not = NULL;
    else if (!sub.why_not)
        sub.why_not = "the subscript is not linear";
    sub.why_kind = interp_why_kind(t, sub.why_not);
    return sub;
}

static void set_subs(const struct trace *t, struct object *object, const struct ref *ref, bool fits,
                     const struct fit *fit) {
    struct located *place = located_change(t, ref);
    int first = object->ntables;
    const char *why = fit->why ? fit->why : place->address->why;
    place->object = object;
    place->field_offset = fits ? fit->field_offset : 0;
    place->field_size = fits && fit->nsubs == object->ndims - first ? fit->field_size : -1;
    place->nsubs = first + (fits ? fit->nsubs : object->ndims - first);
    place->subs = arena_alloc(t->arena, (size_t)(place->nsubs + 1) * sizeof *place->subs);
    for (int d = 0; d < first; ++d)
        place->subs[d] = subscript_of(t, rows_subscript(place->address, d), place->address->why);
    for (int d = first; d < place->nsubs; ++d) {
        int k = d - first;
        const struct poly *p = fits && !fit->unknown[k] ? fit->subs[k] : NULL;
        place->subs[d] = subscript_of(
            t, p,
            why ? why
                : interp_why(t, WHY_LEAVES_ROW,
                             "it may leave its row, or its rows are not those of the other "
                             "subscripts"));
    }
}

static void shape_scalar(const struct trace *t, struct object *object, const struct group *group,
                         bool split) {
    for (int i = 0; i < group->nrefs; ++i) {
        const struct ref *ref = &t->refs[group->refs[i]];
        struct located *place = located_change(t, ref);
        long begin = 0, end = 0;
        bool fixed =
            group->cell ? cell_place(t, ref, &begin, &end) : is_fixed(t, ref, &begin, &end);
        place->object = object;
        place->field_offset = fixed ? begin - (split ? group->begin : 0) : 0;
        place->field_size = fixed ? end - begin : -1;
    }
}

/* The type of what the innermost subscript selects: a field's, where rows lie inside structures. */
static const struct type *innermost_type(const struct trace *t, const struct group *group,
                                         const struct layout *layout, const struct type *element) {
    long stride;
    if (layout->n == 0 || !poly_is_constant(layout->stride[layout->n - 1], &stride) ||
        (element && element->size == stride)) {
        return element;
    }
    for (int i = 0; i < group->nrefs; ++i) {
        const struct type *type = t->refs[group->refs[i]].type;
        if (type && type->size == stride)
            return type;
    }
    return element;
}

/* ---- where the subscripts begin -------------------------------------------------------------- */

/* What of an offset no iteration changes, its constant apart. */
static const struct poly *fixed_part(const struct trace *t, const struct poly *p, long *constant) {
    const struct poly *fixed = poly_constant(t->arena, 0);
    *constant = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        struct poly *one = arena_alloc(t->arena, sizeof *one);
        *one = (struct poly){.nmonomials = 1, .monomials = &p->monomials[i]};
        if (p->monomials[i].nsyms == 0)
            *constant = p->monomials[i].coeff;
        else if (poly_is_invariant(t->syms, one))
            fixed = poly_add(t->arena, fixed, one);
    }
    return fixed;
}

/* The same place in all offsets of a group: its first element, somewhere in the object. */
static const struct poly *common_origin(const struct trace *t, const struct group *group,
                                        long unit) {
    const struct poly *origin = NULL;
    long least = 0, constant;
    for (int i = 0; i < group->nrefs; ++i) {
        const struct value *address = located_address(t, &t->refs[group->refs[i]]);
        const struct poly *fixed = address->poly ? fixed_part(t, address->poly, &constant) : NULL;
        if (!fixed || (origin && !poly_equal(fixed, origin)))
            return NULL;
        least = !origin || constant < least ? constant : least;
        origin = fixed;
    }
    least -= unit > 0 ? ((least % unit) + unit) % unit : 0;
    return origin ? poly_add(t->arena, origin, poly_constant(t->arena, least)) : NULL;
}

static void shift_offsets(const struct trace *t, const struct group *group, const struct poly *by) {
    for (int i = 0; i < group->nrefs; ++i) {
        struct located *place = located_change(t, &t->refs[group->refs[i]]);
        struct value *address = arena_alloc(t->arena, sizeof *address);
        *address = *place->address;
        address->poly = poly_add(t->arena, address->poly, by);
        place->address = address;
    }
}

/* Takes rows that are counted from `origin` when that needs less proof. */
static bool count_from(const struct trace *t, struct object *object, const struct type *element,
                       const struct group *group, const struct poly *origin,
                       struct layout *layout) {
    struct score score = layout_score(t, layout, group->nrefs, group->refs);
    if (!origin || origin->nmonomials == 0)
        return false;
    shift_offsets(t, group, poly_scale(t->arena, origin, -1));
    struct layout other = layout_choose(t, element, group->nrefs, group->refs);
    struct score shifted = layout_score(t, &other, group->nrefs, group->refs);
    if (!layout_is_better(&shifted, &score) &&
        !(shifted.complete == score.complete && shifted.fitted == score.fitted &&
          shifted.obligations < score.obligations)) {
        shift_offsets(t, group, origin);
        return false;
    }
    struct object_behind *behind = (struct object_behind *)object;
    behind->origin = poly_expr(t->syms, origin, true);
    object->origin_text = expr_print(t->arena, behind->origin);
    *layout = other;
    return true;
}

/* Where the loop's first column lies that is not 0: `a[j * n + i]` with i from 1 to n. */
static const struct poly *first_column(const struct trace *t, long unit) {
    long lower;
    const struct poly *from = t->ninner > 0 ? t->inner[0].lower : NULL;
    return from && poly_is_constant(from, &lower) && lower > 0 && lower < 1L << 20
               ? poly_constant(t->arena, lower * unit)
               : NULL;
}

/* Rows may be counted from another place than the object's beginning when that needs less proof. */
static struct layout choose_layout(const struct trace *t, struct object *object,
                                   const struct type *element, const struct group *group) {
    struct layout layout = layout_choose(t, element, group->nrefs, group->refs);
    struct score score = layout_score(t, &layout, group->nrefs, group->refs);
    if ((score.complete == group->nrefs && score.obligations == 0) || !element)
        return layout;
    if (!count_from(t, object, element, group, common_origin(t, group, element->size), &layout) &&
        score.complete < group->nrefs) {
        count_from(t, object, element, group, first_column(t, element->size), &layout);
    }
    return layout;
}

/*
 * Rows of what is only read may overlap (windows, neighbours): nothing is asked of the run for its
 * sake, and its subscripts are left unknown instead.
 */
static bool asks_in_vain(const struct trace *t, const struct group *group, const struct fit *fit) {
    bool open = false;
    for (int i = 0; i < group->nrefs; ++i)
        if (t->refs[group->refs[i]].write)
            return false;
    for (int i = 0; i < fit->nobligations; ++i)
        open = open || open_obligation(t, fit->obligations[i].poly);
    return open;
}

/*
 * How the object's offsets split. Rows of several lengths in one declared array would ask of the
 * run what is hardly ever so: such an array stays what it was declared as.
 */
static struct layout layout_of(const struct trace *t, const struct region *region,
                               struct object *object, const struct type *element,
                               const struct group *group) {
    const struct value **declared =
        arena_alloc(t->arena, (size_t)(group->nrefs + 1) * sizeof *declared);
    for (int i = 0; i < group->nrefs; ++i)
        declared[i] = located_address(t, &t->refs[group->refs[i]]);
    bool opened = matrix_open(t, region, group);
    struct layout layout = choose_layout(t, object, element, group);
    int inside = 0;
    for (int i = 0; i < group->nrefs; ++i) {
        int nparts = located_address(t, &t->refs[group->refs[i]])->nparts;
        inside = nparts > inside ? nparts : inside;
    }
    if (!opened || layout.n <= 2 + inside)
        return layout;
    for (int i = 0; i < group->nrefs; ++i)
        located_change(t, &t->refs[group->refs[i]])->address = declared[i];
    return choose_layout(t, object, element, group);
}

static void shape_group(const struct trace *t, const struct region *region,
                        const struct group *group, bool split) {
    struct object *object = object_new(t, region, group, split);
    if (object->kind == OBJECT_SCALAR || object->kind == OBJECT_UNKNOWN) {
        shape_scalar(t, object, group, split);
        return;
    }
    const struct type *element = object->element;
    struct layout layout = layout_of(t, region, object, element, group);
    struct fit *fits = arena_alloc(t->arena, (size_t)(group->nrefs + 1) * sizeof *fits);
    bool *ok = arena_alloc(t->arena, (size_t)(group->nrefs + 1) * sizeof *ok);
    const int *alike = layout_alike(t, group->nrefs, group->refs);
    for (int i = 0; i < group->nrefs; ++i) {
        if (alike[i] != i) {
            fits[i] = fits[alike[i]];
            ok[i] = ok[alike[i]];
        } else {
            ok[i] = layout_fit(t, &layout, &t->refs[group->refs[i]], &fits[i]) &&
                    !asks_in_vain(t, group, &fits[i]) && can_be_asked(t, &fits[i]);
        }
        if (ok[i])
            add_obligations(t, object, &fits[i], &t->refs[group->refs[i]]);
        else
            fits[i].nsubs = 0;
    }
    object->element = innermost_type(t, group, &layout, element);
    set_dims(t, object, group, &layout, fits);
    for (int i = 0; i < group->nrefs; ++i)
        set_subs(t, object, &t->refs[group->refs[i]], ok[i], &fits[i]);
}

static void emit_access(const struct trace *t, const struct ref *ref) {
    const struct located *place = located(t, ref);
    struct access access = {.object = place->object,
                            .write = ref->write,
                            .nsubs = place->nsubs,
                            .subs = place->subs,
                            .field_offset = place->field_offset,
                            .field_size = place->field_size,
                            .conditional = ref->conditional,
                            .when = ref->when,
                            .told = ref->row_guard,
                            .sometimes = ref->sometimes,
                            .either = ref_is_either(t, ref),
                            .reduction = -1,
                            .folds = ref->reduction >= 0,
                            .nloops = ref->nloops,
                            .loops = ref->loops,
                            .expr = ref->expr,
                            .via = ref->via,
                            .called = ref->called,
                            .range = ref->range,
                            .text = expr_print(t->arena, ref->expr),
                            .id = t->facts->naccesses};
    place->object->read = place->object->read || !ref->write;
    place->object->written = place->object->written || ref->write;
    ARENA_PUSH(t->arena, t->facts->accesses, t->facts->naccesses, access);
}

/* ---- results --------------------------------------------------------------------------------- */

void access_shape_objects(const struct trace *t) {
    located_begin(t);
    for (int i = 0; i < t->nregions; ++i) {
        struct group *groups = NULL;
        int ngroups = 0;
        const struct region *region = t->regions[i];
        if (region->kind != REGION_LOCAL && region->kind != REGION_TEXT)
            ngroups = groups_of(t, region, &groups);
        for (int g = 0; g < ngroups; ++g) {
            bool split = groups[g].cell || (groups[g].end > 0 && !groups[g].member);
            shape_group(t, region, &groups[g], split);
        }
    }
    tables_split(t);
    for (int i = 0; i < t->nrefs; ++i)
        if (located(t, &t->refs[i])->object)
            emit_access(t, &t->refs[i]);
}
