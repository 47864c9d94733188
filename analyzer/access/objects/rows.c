/* Rows of memory behind pointers that stand in one array: side by side, or one in each structure.
 */
#include "analyzer/access/access.h"

static bool is_many(const struct region *from) {
    return from->kind == REGION_POINTER ||
           (from->kind == REGION_ROWS && from->ntables == 1 && !*from->path) ||
           (from->kind == REGION_VARIABLE &&
            (from->var->type->kind == TYPE_ARRAY || from->var->type->kind == TYPE_VLA));
}

static long constant_of(const struct poly *p) {
    for (int i = 0; i < p->nmonos; i++) {
        if (p->monos[i].natoms == 0) {
            return p->monos[i].coeff;
        }
    }
    return 0;
}

/* The members from the structure down to the pointer: `.factors`, `.side.factors`. */
static const char *path_of(struct walk *w, const struct expr *e) {
    const char *path = "";
    while (e->kind == EXPR_MEMBER && e->field) {
        path = arena_printf(w->arena, ".%s%s", e->field->name, path);
        e = e->args[0];
    }
    return path;
}

/* A structure that one of several points to is an object that they may share. */
static bool is_number(const struct type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL;
}

/* A pointer of one structure (`m->w`) is no table: it leads to an object as every other does. */
bool rows_locate(struct walk *w, const struct region *from, const struct poly *offset,
                 const struct expr *e, struct pointer_table *table) {
    const struct type *element = from->element;
    if (!is_many(from) || !element || !e->type->element) {
        return false;
    }
    *table = (struct pointer_table){.step = 8, .path = ""};
    if (element->kind == TYPE_POINTER) {
        table->row = offset ? poly_divide(w->arena, offset, poly_constant(w->arena, 8)) : NULL;
        return true;
    }
    if (from->kind == REGION_ROWS || element->kind != TYPE_STRUCT || element->size <= 0 ||
        !offset || !is_number(e->type->element)) {
        return false;
    }
    table->step = element->size;
    table->at = ((constant_of(offset) % table->step) + table->step) % table->step;
    table->path = path_of(w, e);
    table->row =
        poly_divide(w->arena, poly_subtract(w->arena, offset, poly_constant(w->arena, table->at)),
                    poly_constant(w->arena, table->step));
    return table->row && !poly_is_invariant(&w->atoms, table->row);
}

const struct poly *rows_subscript(const struct value *address, int d) {
    return d + 1 < address->region->ntables ? address->outer : address->row;
}

const struct region *rows_outermost(const struct region *region) {
    while (region->kind == REGION_ROWS) {
        region = region->table;
    }
    return region;
}

struct region *rows_region(struct walk *w, struct region *from, struct expr *base,
                           const struct pointer_table *table, const struct type *element) {
    struct region *region = region_of_rows(w, from, table->step, table->at, element);
    if (!region->expr) {
        region->expr = base;
        region->path = table->path;
    }
    return region;
}
