/* Folds into members of structures: which bytes of an element are only ever folded into. */
#include "analyzer/access/access.h"

static long element_size(const struct region *region) {
    bool structure = region->element && region->element->kind == TYPE_STRUCT;
    return structure && region->element->size > 0 ? region->element->size : 0;
}

/* p modulo `unit`, whatever its symbols are. */
static bool residue(const struct poly *p, long unit, long *out) {
    long sum = 0;
    for (int i = 0; p && i < p->nmonomials; ++i)
        if (p->monomials[i].nsyms == 0)
            sum = p->monomials[i].coeff % unit;
        else if (p->monomials[i].coeff % unit != 0)
            return false;
    *out = (sum + unit) % unit;
    return p != NULL;
}

/*
 * One more subscript inside of the element: the numbers reached are `count`, `step` bytes apart.
 * Two such subscripts have to leave no gap.
 */
static bool part_add(const struct part *part, long size, struct reduction_field *out) {
    long stride, count;
    if (!poly_is_constant(part->stride, &stride) || stride <= 0 ||
        !poly_is_constant(part->extent, &count) || count <= 0 || count > 1L << 20) {
        return false;
    }
    if (out->count == 1) {
        out->step = stride;
        out->count = count;
        return true;
    }
    bool inner = out->step == size && stride == out->count * size;
    bool outer = stride == size && out->step == count * size;
    out->step = size;
    out->count *= count;
    return count == 1 || inner || outer;
}

/* Which numbers of an element the touch may reach; `offset` the first. False: that is not known. */
static bool field_of(const struct trace *t, const struct ref *ref, struct reduction_field *out) {
    const struct value *address = located_address(t, ref);
    long unit = element_size(address->region), size, stride;
    bool multiple = address->unit && address->unit % unit == 0;
    const struct poly *p = address->poly ? address->poly : multiple ? address->lead : NULL;
    *out = (struct reduction_field){.op = (enum reduction_op)located(t, ref)->reduction,
                                    .type = ref->type};
    if (!residue(p, unit, &out->offset) || !poly_is_constant(ref->size, &size) || size <= 0)
        return false;
    out->count = 1;
    out->step = size;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        bool outside = poly_is_constant(part->stride, &stride) && stride > 0 && stride % unit == 0;
        if (!outside && !part_add(part, size, out))
            return false;
    }
    out->bytes = (out->count - 1) * out->step + size;
    return out->offset + out->bytes <= unit;
}

static bool meet(const struct reduction_field *a, const struct reduction_field *b) {
    return a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

struct fields {
    int count;
    struct reduction_field *items;
};

static bool is_same(const struct reduction_field *a, const struct reduction_field *b) {
    return a->offset == b->offset && a->step == b->step && a->count == b->count && a->op == b->op &&
           type_is_same_number(a->type, b->type);
}

/* Nothing is packed. */
static bool is_aligned(const struct reduction_field *field, long unit) {
    long size = field->type->size;
    return field->offset % size == 0 && field->step % size == 0 && unit % size == 0;
}

/* Takes one fold into the list; false when it meets one of another kind. */
static bool field_add(const struct trace *t, struct fields *fields, const struct ref *ref) {
    struct reduction_field field;
    if (!field_of(t, ref, &field) || !type_is_same_number(field.type, field.type) ||
        !reduction_operator(field.op)->in_elements ||
        !is_aligned(&field, element_size(ref->address->region))) {
        return false;
    }
    for (int i = 0; i < fields->count; ++i)
        if (meet(&fields->items[i], &field))
            return is_same(&fields->items[i], &field);
    ARENA_PUSH(t->arena, fields->items, fields->count, field);
    return true;
}

/* No iteration has elements of its own:
 * which one a fold goes to is not known, or it is always the same. */
static bool is_own(const struct trace *t, const struct poly *p) {
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms; ++j) {
            const struct sym *sym = t->syms->items[p->monomials[i].syms[j]];
            bool own = sym->kind == SYMBOL_KEY ? !sym->on_inner
                                               : sym->kind == SYMBOL_LOOP && sym->loop == t->loop;
            if (own)
                return true;
        }
    }
    return false;
}

static bool is_scattered(const struct trace *t, const struct ref *ref) {
    const struct value *address = located_address(t, ref);
    long unit = element_size(address->region), stride;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        bool inside = poly_is_constant(part->stride, &stride) && stride < unit;
        if (!inside && is_own(t, part->index))
            return false;
    }
    return !is_own(t, address->poly) && !is_own(t, address->row);
}

bool reduce_fields(const struct trace *t, const struct region *region, int nrefs, const int *refs,
                   struct reduction *out) {
    struct fields fields = {0};
    bool scattered = false;
    if (element_size(region) == 0)
        return false;
    for (int i = 0; i < nrefs; ++i) {
        const struct ref *ref = &t->refs[refs[i]];
        scattered = scattered || is_scattered(t, ref);
        if (located(t, ref)->reduction < 0 || (ref->scalar && !ref->exposed) ||
            !field_add(t, &fields, ref))
            return false;
    }
    out->nfields = fields.count;
    out->fields = fields.items;
    out->stride = element_size(region);
    return fields.count > 0 && scattered;
}

bool reduce_splits(const struct trace *t, const struct region *region, int nrefs, const int *refs,
                   bool *folds) {
    struct fields fields = {0};
    struct reduction_field field;
    bool scattered = false;
    if (element_size(region) == 0)
        return false;
    for (int i = 0; i < nrefs; ++i) {
        const struct ref *ref = &t->refs[refs[i]];
        folds[i] = located(t, ref)->reduction >= 0;
        scattered = scattered || (folds[i] && is_scattered(t, ref));
        if (folds[i] ? !field_add(t, &fields, ref) : ref->write)
            return false;
    }
    for (int i = 0; i < nrefs; ++i) {
        for (int f = 0; !folds[i] && f < fields.count; ++f)
            if (!field_of(t, &t->refs[refs[i]], &field) || meet(&field, &fields.items[f]))
                return false;
    }
    return scattered;
}
