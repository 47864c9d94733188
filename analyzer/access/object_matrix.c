/* Flat matrices in declared arrays: `uA[i * K + j]`. */
#include "analyzer/access/internal.h"

/* A product in which something varies: `i * K + j`. */
static bool has_product(const struct walk *w, const struct poly *p) {
    for (int i = 0; p && i < p->nmonos; i++) {
        for (int j = 0; j < p->monos[i].natoms && p->monos[i].natoms > 1; j++) {
            if (w->atoms.items[p->monos[i].atoms[j]]->kind != SYMBOL_PARAM) {
                return true;
            }
        }
    }
    return false;
}

static bool is_flat(const struct region *region) {
    const struct type *type = region->kind == REGION_VARIABLE ? region->var->type : NULL;
    return type && type->kind == TYPE_ARRAY && type->element && type->element->kind != TYPE_ARRAY;
}

bool matrix_open(struct walk *w, const struct region *region, const struct group *group) {
    bool matrix = false;
    for (int i = 0; i < group->nraws; i++) {
        const struct value *address = w->raws[group->raws[i]].address;
        bool plain = address->nparts == 0 ||
                     (address->nparts == 1 && !address->parts[0].grows && address->parts[0].index);
        if (!is_flat(region) || !address->poly || !plain) {
            return false;
        }
        matrix = matrix || (address->nparts == 1 && has_product(w, address->parts[0].index));
    }
    for (int i = 0; matrix && i < group->nraws; i++) {
        struct raw *raw = &w->raws[group->raws[i]];
        struct value *open = arena_alloc(w->arena, sizeof *open);
        *open = *raw->address;
        if (open->nparts == 1) {
            const struct part *part = &open->parts[0];
            open->poly =
                poly_add(w->arena, open->poly, poly_multiply(w->arena, part->index, part->stride));
            open->nparts = 0;
        }
        if (open->poly) {
            raw->address = open;
        }
    }
    return matrix;
}
