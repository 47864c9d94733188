/* May two regions overlap; guards for those that a run can tell apart. */
#include "analyzer/access/internal.h"
#include "analyzer/access/objects/alias_origin.h"

/* ---- types ----------------------------------------------------------------------------------- */

static bool is_char(const struct type *type) {
    return type->kind == TYPE_INT && type->size == 1;
}

static bool type_holds(const struct type *outer, const struct type *inner, int depth) {
    while (outer->element && type_is_array(outer))
        outer = outer->element;
    bool records = outer->kind == TYPE_STRUCT || outer->kind == TYPE_UNION;
    if (outer->kind == inner->kind && outer->size == inner->size &&
        (!records || outer->record == inner->record || depth > 8)) {
        return true;
    }
    if (!records || depth > 8)
        return records;
    for (int i = 0; outer->record && i < outer->record->nfields; ++i)
        if (type_holds(outer->record->fields[i].type, inner, depth + 1))
            return true;
    return !outer->record;
}

static bool is_plain(const struct type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_POINTER ||
           type->kind == TYPE_STRUCT || type->kind == TYPE_BOOL;
}

static bool may_name_one(const struct type *a, const struct type *b) {
    return !is_plain(a) || !is_plain(b) || is_char(a) || is_char(b) || type_holds(a, b, 0) ||
           type_holds(b, a, 0);
}

void alias_note_type(struct region *region, const struct type *type) {
    while (type && type->element && type_is_array(type))
        type = type->element;
    bool alike =
        type && region->element &&
        (is_char(region->element) || (!is_char(type) && may_name_one(region->element, type)));
    region->recast = region->recast || !alike;
}

/*
 * What is stored through one cannot be read through the other (C11 6.5, 6 and 7). Memory may take
 * another type, though: what was read through one may be stored to through the other afterwards.
 */
static bool types_differ(const struct unit *unit, const struct region *a, const struct region *b) {
    return unit->strict_aliasing && !a->recast && !b->recast && a->element && b->element &&
           !may_name_one(a->element, b->element);
}

/* A declared object keeps the type that it was declared with. */
static bool keeps_type(const struct region *region) {
    return region->kind == REGION_VARIABLE && !region->var->is_alias;
}

/* ---- regions --------------------------------------------------------------------------------- */

/* The variable of the program: what a pointer held where the loop begins stands for the pointer. */
static struct variable *source_of(const struct region *region) {
    struct variable *var = region->var;
    return var && var->entry_of ? (struct variable *)var->entry_of : var;
}

/* `&x`, the memory of the variable itself. */
static struct expr *place_of(const struct trace *t, struct expr *var) {
    struct expr *e = expr_new(t->arena, EXPR_ADDRESS, var->type, var->range);
    e->nargs = 1;
    e->args[0] = var;
    return e;
}

static struct expr *region_expr(const struct trace *t, const struct region *region) {
    struct variable *var = source_of(region);
    if (region->kind == REGION_POINTER && var == region->var)
        return region->expr;
    if (region->kind != REGION_VARIABLE && region->kind != REGION_POINTER)
        return NULL;
    struct expr *e = expr_new(t->arena, EXPR_VAR, var->type, var->range);
    e->var = var;
    return region->kind == REGION_VARIABLE ? place_of(t, e) : e;
}

static bool is_restrict(const struct region *region) {
    const struct variable *var = source_of(region);
    return region->kind == REGION_POINTER && var && var->type->is_restrict && var->resets == 0 &&
           (var->storage == STORAGE_PARAM || var->storage == STORAGE_LOCAL);
}

/* `restrict` speaks of every pointer that is not made from this one. */
static bool restrict_apart(const struct trace *t, const struct region *a, const struct region *b) {
    const struct expr *other = region_expr(t, b);
    return is_restrict(a) && other && origins_not_based_on(t->origins, other, source_of(a));
}

static bool is_unreachable(const struct trace *t, const struct region *region) {
    if (region->kind != REGION_VARIABLE || region->var->storage == STORAGE_GLOBAL ||
        region->var->is_extern) {
        return false;
    }
    return !region->var->address_taken || origins_keep_private(t->origins, region->var);
}

/* One leads into the memory of the other: no guard could hold. */
static bool made_from(const struct trace *t, const struct region *a, const struct region *b) {
    return a->kind == REGION_POINTER && a->var && b->var &&
           (b->kind == REGION_POINTER || b->kind == REGION_VARIABLE) &&
           origins_computed_from(t->origins, source_of(a), source_of(b));
}

static bool is_part(const void *part, const struct expr *e) {
    return expr_equal(e, part);
}

/* The rows behind a table, and what one of its pointers (or one of another type there) leads to. */
static bool same_pointers(const struct region *rows, const struct region *other) {
    if (rows->kind != REGION_ROWS)
        return false;
    return other->kind == REGION_ROWS
               ? other->table == rows->table && other->step == rows->step && other->at == rows->at
               : other->kind == REGION_POINTER && other != rows_outermost(rows) &&
                     expr_any(other->expr, is_part, rows->expr);
}

/* Another name of what some variable is (`__attribute__((alias))`). */
static bool is_other_name(const struct region *region) {
    return region->kind == REGION_VARIABLE && region->var->is_alias;
}

/* A variable without an address, or an array that is only subscripted: no pointer leads to it, not
 * even one of which nothing is known. */
static bool has_no_address(const struct region *region) {
    const struct variable *var = region->kind == REGION_VARIABLE ? region->var : NULL;
    const struct type *type = var ? var->type : NULL;
    while (type && type->kind == TYPE_ARRAY)
        type = type->element;
    return var && var->storage != STORAGE_GLOBAL && !var->is_extern && !var->is_alias &&
           !var->address_taken && is_plain(type) && type->kind != TYPE_STRUCT;
}

/* An allocation that one variable leads to, which the loop does not set: nor does any pointer that is
 * read from memory, whatever else it leads to. */
static bool is_alone(const struct trace *t, const struct region *region) {
    const struct variable *var =
        region->kind == REGION_POINTER && region->expr && region->expr->kind == EXPR_VAR
            ? region->expr->var
            : NULL;
    return var && !var->entry_of && variable_is_steady(t->loop, var) &&
           origins_alone(t->origins, var);
}

/* ... and `other` is reached by way of something else. */
static bool is_alone_beside(const struct trace *t, const struct region *region,
                            const struct region *other) {
    return is_alone(t, region) && other->expr && !expr_names(other->expr, region->expr->var);
}

/* An iteration's own memory, and literals, which nothing else is. */
static bool is_own(const struct region *region) {
    return region->kind == REGION_LOCAL || region->kind == REGION_TEXT;
}

/* What one of the two alone may be reached by, or what their types say, keeps them apart. */
static bool are_apart(const struct trace *t, const struct region *a, const struct region *b,
                      bool types_differ) {
    return is_unreachable(t, a) || is_unreachable(t, b) || restrict_apart(t, a, b) ||
           restrict_apart(t, b, a) || (types_differ && (keeps_type(a) || keeps_type(b)));
}

static enum alias compare_regions(const struct trace *t, const struct region *a,
                                  const struct region *b) {
    if (a == b)
        return ALIAS_MAY;
    if (a->kind == REGION_UNKNOWN || b->kind == REGION_UNKNOWN)
        return has_no_address(a) || has_no_address(b) || is_alone(t, a) || is_alone(t, b)
                   ? ALIAS_NO
                   : ALIAS_MAY;
    if (is_own(a) || is_own(b))
        return ALIAS_NO;
    if (is_other_name(a) || is_other_name(b))
        return ALIAS_MAY;
    if (is_alone_beside(t, a, b) || is_alone_beside(t, b, a))
        return ALIAS_NO;
    if (a->kind == REGION_VARIABLE && b->kind == REGION_VARIABLE)
        return ALIAS_NO;
    bool differ = types_differ(t->unit, a, b);
    if (are_apart(t, a, b, differ))
        return ALIAS_NO;
    if (same_pointers(a, b) || same_pointers(b, a))
        return ALIAS_MAY;
    const struct expr *x = region_expr(t, a), *y = region_expr(t, b);
    if (x && y && origins_distinct(t->origins, x, y))
        return ALIAS_NO;
    return !differ && (made_from(t, a, b) || made_from(t, b, a)) ? ALIAS_MAY : ALIAS_GUARDED;
}

enum alias alias_regions(const struct trace *t, const struct region *a, const struct region *b) {
    uint64_t pair = table_pair(a->id, b->id);
    int known = table_get(t->known, pair);
    if (known < 0) {
        known = (int)compare_regions(t, a, b);
        table_put(t->known, pair, known);
    }
    return (enum alias)known;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* The bytes [begin, end) of an element of `unit` bytes that ref touches, whatever the index. */
static bool bytes_of_element(const struct trace *t, const struct ref *ref, long unit, long *begin,
                             long *end) {
    const struct value *address = located_address(t, ref);
    const bool elements = address->lead && address->unit != 0 && address->unit % unit == 0;
    const struct poly *p = address->poly ? address->poly : elements ? address->lead : NULL;
    long size, last = 0;
    if (!p || !poly_is_constant(ref->size, &size))
        return false;
    *begin = 0;
    for (int i = 0; i < p->nmonomials; ++i) {
        const struct monomial *m = &p->monomials[i];
        if (m->nsyms == 0)
            *begin = ((m->coeff % unit) + unit) % unit;
        else if (m->coeff % unit != 0)
            return false;
    }
    for (int i = 0; i < address->nparts; ++i) {
        long stride, extent;
        if (!poly_is_constant(address->parts[i].stride, &stride))
            return false;
        if (stride % unit == 0)
            continue;
        if (!poly_is_constant(address->parts[i].extent, &extent))
            return false;
        last += (extent - 1) * stride;
    }
    *end = *begin + last + size;
    return *end <= unit;
}

bool refs_disjoint_fields(const struct trace *t, const struct ref *a, const struct ref *b) {
    long a_begin, a_end, b_begin, b_end;
    const struct region *region = a->address->region;
    if (region != b->address->region || region->kind == REGION_UNKNOWN || !region->element ||
        region->element->kind != TYPE_STRUCT || region->element->size <= 0) {
        return false;
    }
    return bytes_of_element(t, a, region->element->size, &a_begin, &a_end) &&
           bytes_of_element(t, b, region->element->size, &b_begin, &b_end) &&
           (a_end <= b_begin || b_end <= a_begin);
}

/* ---- objects and guards ---------------------------------------------------------------------- */

static const struct region *region_behind(const struct object *object) {
    return ((const struct object_behind *)object)->region;
}

enum alias alias_objects(const struct loop_facts *facts, const struct object *a,
                         const struct object *b) {
    if (a == b)
        return ALIAS_MAY;
    const struct region *x = region_behind(a), *y = region_behind(b);
    if (x == y && x->kind != REGION_UNKNOWN)
        return ALIAS_NO;
    return alias_regions(((const struct facts_behind *)facts)->trace, x, y);
}
