/* Rows of memory behind pointers that stand in one array:
 * side by side, or one in each structure. */
#include "analyzer/access/access.h"
#include "analyzer/access/subscripts/layout.h"

static bool is_many(const struct region *from) {
    return from->kind == REGION_POINTER || (from->kind == REGION_ROWS && from->ntables == 1) ||
           (from->kind == REGION_VARIABLE && type_is_array(from->var->type));
}

static long constant_of(const struct poly *p) {
    for (int i = 0; i < p->nmonomials; ++i)
        if (p->monomials[i].nsyms == 0)
            return p->monomials[i].coeff;
    return 0;
}

/* The members from the structure down to the pointer: `.factors`, `.side.factors`, `->idx`. */
static const char *path_of(const struct trace *t, const struct region *from, const struct expr *e) {
    const char *path = "";
    while (e->kind == EXPR_MEMBER && e->field) {
        path = arena_printf(t->arena, ".%s%s", e->field->name, path);
        e = e->args[0];
    }
    if (from->kind == REGION_ROWS && *path == '.')
        path = arena_printf(t->arena, "->%s", path + 1);
    return path;
}

/*
 * Numbers, or records of numbers and of pointers to such (`rows[u].entries[j].item`). Records that
 * lead to records of their own kind are nodes of something that is linked.
 */
static bool is_data(const struct type *type, int depth) {
    enum { DEEPEST = 4 };
    if (type->kind == TYPE_INT || type->kind == TYPE_FLOAT || type->kind == TYPE_BOOL ||
        (type->kind == TYPE_VOID && depth > 0)) {
        return true;
    }
    if (depth > DEEPEST)
        return false;
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_POINTER)
        return type->element && is_data(type->element, depth + 1);
    for (int i = 0; type->kind == TYPE_STRUCT && type->record && i < type->record->nfields; ++i)
        if (!is_data(type->record->fields[i].type, depth + 1))
            return false;
    return type->kind == TYPE_STRUCT && type->record && type->record->nfields > 0;
}

/* Where in a structure of `size` bytes the address lies, whatever number the structure has. */
static bool place_of(const struct value *address, long size, long *at) {
    bool elements = address->unit != 0 && address->unit % size == 0;
    const struct poly *offset = address->poly ? address->poly : elements ? address->lead : NULL;
    long stride;
    for (int i = 0; i < address->nparts; ++i)
        if (!poly_is_constant(address->parts[i].stride, &stride) || stride % size != 0)
            return false;
    for (int i = 0; offset && i < offset->nmonomials; ++i)
        if (offset->monomials[i].nsyms > 0 && offset->monomials[i].coeff % size != 0)
            return false;
    *at = offset ? ((constant_of(offset) % size) + size) % size : 0;
    return offset != NULL;
}

/* A pointer of one structure (`m->w`) is no table: it leads to an object as every other does. */
bool rows_locate(const struct trace *t, const struct value *address, const struct poly *offset,
                 const struct expr *e, struct pointer_table *table) {
    const struct region *from = address->region;
    const struct type *element = from->element;
    if (!is_many(from) || !element || !e->type->element)
        return false;
    *table = (struct pointer_table){.step = 8, .path = ""};
    if (element->kind == TYPE_POINTER) {
        table->row = offset ? poly_divide(t->arena, offset, poly_constant(t->arena, 8)) : NULL;
        return true;
    }
    if (element->kind != TYPE_STRUCT || element->size <= 0 ||
        e->type->element->kind == TYPE_POINTER || !is_data(e->type->element, 0)) {
        return false;
    }
    table->step = element->size;
    if (!offset) {
        table->path = path_of(t, from, e);
        return place_of(address, table->step, &table->at);
    }
    table->at = ((constant_of(offset) % table->step) + table->step) % table->step;
    table->path = path_of(t, from, e);
    table->row =
        poly_divide(t->arena, poly_subtract(t->arena, offset, poly_constant(t->arena, table->at)),
                    poly_constant(t->arena, table->step));
    return table->row && (from->kind == REGION_ROWS || !poly_is_invariant(t->syms, table->row));
}

struct expr *rows_pointer(struct expr *lvalue, const struct expr *base, struct expr **index) {
    struct expr *e = lvalue;
    while (e && (e->kind == EXPR_SUBSCRIPT || e->kind == EXPR_DEREF))
        e = e->args[0];
    struct expr *pointer = e;
    while (e && e->kind == EXPR_MEMBER)
        e = e->args[0];
    e = e && e != pointer && e->kind == EXPR_DEREF ? e->args[0] : e;
    bool is = e && e != pointer && e->kind == EXPR_SUBSCRIPT && pointer->type &&
              pointer->type->kind == TYPE_POINTER && expr_equal(e->args[0], base) &&
              pointer->range.exact && e->args[1]->range.exact;
    if (is && index)
        *index = e->args[1];
    return is ? pointer : NULL;
}

const struct poly *rows_subscript(const struct value *address, int d) {
    return d + 1 < address->region->ntables ? address->outer : address->row;
}

const struct region *rows_outermost(const struct region *region) {
    while (region->kind == REGION_ROWS)
        region = region->table;
    return region;
}

/* ---- all of a table -------------------------------------------------------------------------- */

static bool is_leaving(const void *data, const struct stmt *s) {
    (void)data;
    return s->kind == STMT_BREAK || s->kind == STMT_RETURN || s->kind == STMT_GOTO;
}

/* The last entry of those that the access surely reads one by one from 0 on, NULL: not known. */
static const struct poly *read_to(const struct trace *t, const struct ref *ref) {
    const struct poly *sub = rows_subscript(located_address(t, ref), 0);
    int sym;
    long from, constant;
    if (ref->sometimes || !poly_is_sym_plus(sub, &sym, &constant))
        return NULL;
    for (int l = -1; l < ref->nloops; ++l) {
        const struct interp_inner *inner = &t->inner[l < 0 ? 0 : ref->loops[l]];
        if (inner->sym == t->syms->items[sym] && (inner->step == 1 || inner->step == -1) &&
            !inner->may_skip && poly_is_constant(inner->lower, &from) && from == -constant &&
            inner->upper && poly_is_invariant(t->syms, inner->upper) &&
            !stmt_any(inner->loop->body, is_leaving, NULL)) {
            return poly_add(t->arena, inner->upper, poly_constant(t->arena, constant));
        }
    }
    return NULL;
}

/* No access goes beyond `last`, or is made where the one that leads there is not. */
static bool is_last(const struct trace *t, const struct ref *to, const struct poly *last) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct ref *ref = &t->refs[i];
        if (located(t, ref)->object != located(t, to)->object)
            continue;
        struct lower_bounds bounds = layout_facts(t, ref);
        const struct poly *upper =
            layout_bound(t, ref, rows_subscript(located_address(t, ref), 0), true, &bounds);
        if (!upper || !facts_implies(ref->when, to->when) ||
            !poly_nonnegative(t->syms, poly_subtract(t->arena, last, upper), &bounds)) {
            return false;
        }
    }
    return true;
}

bool rows_reads_all(const struct trace *t, const struct object *object) {
    for (int i = 0; i < t->nrefs; ++i) {
        const struct poly *last =
            located(t, &t->refs[i])->object == object ? read_to(t, &t->refs[i]) : NULL;
        if (last && is_last(t, &t->refs[i], last))
            return true;
    }
    return false;
}
