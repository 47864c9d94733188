/* Flat matrices in declared arrays: `uA[i * K + j]`, `rows[i * K + j].x[2]`. */
#include "analyzer/access/internal.h"
#include "analyzer/access/subscripts/layout.h"

#include <stdlib.h>

/* A product in which something varies: `i * K + j`. */
static bool has_product(const struct trace *t, const struct poly *p) {
    for (int i = 0; p && i < p->nmonomials; ++i) {
        for (int j = 0; j < p->monomials[i].nsyms && p->monomials[i].nsyms > 1; ++j)
            if (t->syms->items[p->monomials[i].syms[j]]->kind != SYMBOL_PARAM)
                return true;
    }
    return false;
}

static bool varies(const struct trace *t, const struct monomial *m) {
    for (int i = 0; i < m->nsyms; ++i)
        if (t->syms->items[m->syms[i]]->kind != SYMBOL_PARAM)
            return true;
    return false;
}

/* Rows of a width that is a number: `i * 64 + j`. */
static bool has_rows(const struct trace *t, const struct poly *p) {
    long most = 0, least = 0;
    for (int i = 0; p && i < p->nmonomials; ++i) {
        long coeff = labs(p->monomials[i].coeff);
        if (varies(t, &p->monomials[i])) {
            most = coeff > most ? coeff : most;
            least = !least || coeff < least ? coeff : least;
        }
    }
    return most >= ROW_LEAST && most >= ROW_LEAST * least;
}

static bool is_flat(const struct region *region) {
    const struct type *type = region->kind == REGION_VARIABLE ? region->var->type : NULL;
    return type && type->kind == TYPE_ARRAY && type->element && type->element->kind != TYPE_ARRAY;
}

/* The touch is of an element, or of a place inside of it. */
static bool is_plain(const struct region *region, const struct value *address) {
    long unit = region->element ? region->element->size : 0, stride;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        bool inside = i > 0 && poly_is_constant(part->stride, &stride) && stride > 0 &&
                      stride < unit && region->element->kind == TYPE_STRUCT;
        if (!inside && (i > 0 || part->grows || !part->index))
            return false;
    }
    return true;
}

bool matrix_open(const struct trace *t, const struct region *region, const struct group *group) {
    bool matrix = false;
    for (int i = 0; i < group->nrefs; ++i) {
        const struct value *address = located_address(t, &t->refs[group->refs[i]]);
        if (!is_flat(region) || !address->poly || !is_plain(region, address))
            return false;
        const struct poly *index = address->nparts > 0 ? address->parts[0].index : NULL;
        matrix = matrix || has_product(t, index) || has_rows(t, index);
    }
    for (int i = 0; matrix && i < group->nrefs; ++i) {
        struct located *place = located_change(t, &t->refs[group->refs[i]]);
        struct value *open = arena_alloc(t->arena, sizeof *open);
        *open = *place->address;
        if (open->nparts > 0) {
            const struct part *part = &open->parts[0];
            open->poly =
                poly_add(t->arena, open->poly, poly_multiply(t->arena, part->index, part->stride));
            --open->nparts;
            ++open->parts;
        }
        if (open->poly)
            place->address = open;
    }
    return matrix;
}
