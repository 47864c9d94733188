/* The arrays and members inside of a structure, as objects of their own. */
#include "analyzer/access/internal.h"

/* The bytes of the structure that a touch stays inside of. */
static bool is_bounded(const struct trace *t, const struct ref *ref, long *begin, long *end) {
    const struct value *address = located_address(t, ref);
    long size, stride, count;
    if (!poly_is_constant(address->poly, begin) || !poly_is_constant(ref->size, &size))
        return false;
    *end = *begin + size;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        if (!poly_is_constant(part->stride, &stride) || stride <= 0 ||
            !poly_is_constant(part->extent, &count) || count <= 0 || count > 1L << 40 ||
            stride > (1L << 40) / count) {
            return false;
        }
        *end += (count - 1) * stride;
    }
    return true;
}

static void group_add(const struct trace *t, struct group **groups, int *ngroups, int ref,
                      long begin, long end) {
    struct group merged = {.begin = begin, .end = end};
    int kept = 0;
    for (int i = 0; i < *ngroups; ++i) {
        struct group *g = &(*groups)[i];
        if (g->end <= begin || g->begin >= end) {
            (*groups)[kept++] = *g;
            continue;
        }
        for (int j = 0; j < g->nrefs; ++j)
            ARENA_PUSH(t->arena, merged.refs, merged.nrefs, g->refs[j]);
        merged.begin = g->begin < merged.begin ? g->begin : merged.begin;
        merged.end = g->end > merged.end ? g->end : merged.end;
    }
    *ngroups = kept;
    ARENA_PUSH(t->arena, merged.refs, merged.nrefs, ref);
    ARENA_PUSH(t->arena, *groups, *ngroups, merged);
}

static const struct field *field_at(const struct record *record, long begin, long end) {
    for (int i = 0; record && !record->is_union && i < record->nfields; ++i) {
        const struct field *field = &record->fields[i];
        long offset = field->offset_bits / 8;
        if (field->bit_width < 0 && field->type->size > 0 && offset <= begin &&
            end <= offset + field->type->size) {
            return field;
        }
    }
    return NULL;
}

/* The array member that bytes [begin, end) lie in, and its offset. */
static struct expr *array_member(const struct trace *t, const struct region *region, long begin,
                                 long end, long *offset) {
    bool pointer = region->kind == REGION_POINTER;
    struct range range = t->loop->header;
    struct expr *e = expr_new(t->arena, pointer ? EXPR_DEREF : EXPR_VAR, region->element, range);
    if (pointer) {
        e->nargs = 1;
        e->args[0] = region->expr;
    } else {
        e->var = region->var;
    }
    bool arrow = pointer;
    *offset = 0;
    while (e->type->kind == TYPE_STRUCT) {
        const struct field *field = field_at(e->type->record, begin - *offset, end - *offset);
        if (!field || !field->name)
            return NULL;
        struct expr *member = expr_new(t->arena, EXPR_MEMBER, field->type, range);
        member->nargs = 1;
        member->args[0] = e;
        member->field = field;
        member->arrow = arrow;
        *offset += field->offset_bits / 8;
        arrow = false;
        e = member;
    }
    return e->type->kind == TYPE_ARRAY && e->kind == EXPR_MEMBER ? e : NULL;
}

/* Offsets count from the member on. */
static void rebase(const struct trace *t, const struct group *group, long offset) {
    for (int i = 0; i < group->nrefs; ++i) {
        struct located *place = located_change(t, &t->refs[group->refs[i]]);
        struct value *address = arena_alloc(t->arena, sizeof *address);
        *address = *place->address;
        address->poly = poly_subtract(t->arena, address->poly, poly_constant(t->arena, offset));
        place->address = address;
    }
}

static bool is_structure(const struct region *region) {
    const struct type *type = region->element;
    bool one = region->kind == REGION_POINTER ||
               (region->kind == REGION_VARIABLE && region->var->type->kind == TYPE_STRUCT);
    return one && type && type->kind == TYPE_STRUCT && type->size > 0;
}

/* A structure that blocks only read stays in one piece: they get a copy. */
static bool is_read(const struct trace *t, const struct group *all) {
    for (int i = 0; i < all->nrefs; ++i)
        if (t->refs[all->refs[i]].write)
            return false;
    return true;
}

int members_split(const struct trace *t, const struct region *region, const struct group *all,
                  struct group **groups) {
    bool fixed = true;
    int ngroups = 0;
    long begin, end;
    *groups = NULL;
    if ((region->kind != REGION_POINTER && region->kind != REGION_VARIABLE) || !region->element ||
        region->element->kind != TYPE_STRUCT) {
        return 0;
    }
    for (int i = 0; i < all->nrefs; ++i) {
        const struct ref *ref = &t->refs[all->refs[i]];
        fixed = fixed && located_address(t, ref)->nparts == 0;
        if (!is_bounded(t, ref, &begin, &end))
            return *groups = NULL, 0;
        group_add(t, groups, &ngroups, all->refs[i], begin, end);
    }
    if (fixed)
        return ngroups;
    long *offsets = arena_alloc(t->arena, (size_t)(ngroups + 1) * sizeof *offsets);
    bool splits = is_structure(region) && !is_read(t, all);
    for (int g = 0; splits && g < ngroups; ++g) {
        struct group *group = &(*groups)[g];
        bool scalar = true;
        for (int i = 0; i < group->nrefs; ++i)
            scalar = scalar && located_address(t, &t->refs[group->refs[i]])->nparts == 0;
        if (!scalar)
            group->member = array_member(t, region, group->begin, group->end, &offsets[g]);
        splits =
            group->begin >= 0 && group->end <= region->element->size && (scalar || group->member);
    }
    for (int g = 0; splits && g < ngroups; ++g)
        if ((*groups)[g].member)
            rebase(t, &(*groups)[g], offsets[g]);
    return splits ? ngroups : (*groups = NULL, 0);
}
