/*
 * Touches that surely stay inside of their memory, by the bounds of the loops around them: of a
 * declared array, or of what malloc or calloc gave a variable that is declared with it, in a
 * function that frees it nowhere in front of the loop's end. (Where there was no memory the program
 * follows a null pointer anyhow, or leaves.)
 */
#include "analyzer/access/fault/fault.h"
#include "analyzer/access/objects/allocation.h"
#include "analyzer/access/subscripts/layout.h"

static bool is_natural(const struct trace *t, const struct poly *p,
                       const struct lower_bounds *bounds) {
    return p && poly_nonnegative(t->syms, p, bounds);
}

/* 0 <= p and p + size <= end, in every iteration. */
static bool lies_in(const struct trace *t, const struct ref *ref, const struct poly *p,
                    const struct poly *size, const struct poly *end) {
    struct lower_bounds bounds = layout_facts(t, ref);
    const struct poly *low = layout_bound(t, ref, p, false, &bounds);
    const struct poly *high = layout_bound(t, ref, p, true, &bounds);
    return is_natural(t, low, &bounds) &&
           is_natural(t, poly_subtract(t->arena, end, poly_add(t->arena, high, size)), &bounds);
}

/* The bytes from where the region begins. */
static const struct poly *offset_of(const struct trace *t, const struct value *address) {
    const struct poly *offset = address->poly;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        offset = poly_add(t->arena, offset, poly_multiply(t->arena, part->index, part->stride));
    }
    return offset;
}

struct release {
    const struct variable *var;
    unsigned end;
};

/* free(p), or any other call of the C library that takes p and is not known to leave it alone. */
static bool is_release(const void *data, const struct expr *e) {
    const struct release *release = data;
    bool call = e->kind == EXPR_CALL && e->range.begin.offset < release->end &&
                !(e->function && e->function->body);
    enum effect effect = e->kind == EXPR_CALL && e->function && !e->function->body
                             ? effect_of_function(e->function)
                             : EFFECT_UNKNOWN;
    for (int i = 0; call && (effect == EFFECT_ALLOCATE || effect == EFFECT_UNKNOWN) && i < e->nargs;
         ++i) {
        const struct expr *arg = e->args[i];
        while (arg->kind == EXPR_CAST)
            arg = arg->args[0];
        if (arg->kind == EXPR_VAR && arg->var == release->var)
            return true;
    }
    return false;
}

static bool is_kept(const struct trace *t, const struct variable *var) {
    const struct release release = {.var = var, .end = t->loop->stmt->range.end.offset};
    return !stmt_any_expr(t->loop->function->body, is_release, &release);
}

/* How much memory there is from the region's beginning on; NULL: that is not known. */
static const struct poly *bytes_of(const struct trace *t, const struct region *region) {
    const struct variable *var = region->var;
    if (!var)
        return NULL;
    if (region->kind == REGION_VARIABLE || (region->kind == REGION_LOCAL && !region->unescaped)) {
        bool whole = var->type->kind == TYPE_ARRAY || var->type->kind == TYPE_STRUCT;
        return whole && var->type->size > 0 && !var->is_extern
                   ? poly_constant(t->arena, var->type->size)
                   : NULL;
    }
    bool own = region->kind == REGION_POINTER && region->expr && region->expr->kind == EXPR_VAR &&
               var->function == t->loop->function && var->init && var->writes == 0;
    return own && is_kept(t, var) ? allocation_bytes(t, var) : NULL;
}

bool touch_is_inside(const struct trace *t, const struct ref *ref) {
    const struct value *address = located_address(t, ref);
    const struct poly *bytes =
        address->row || address->nwraps ? NULL : bytes_of(t, address->region);
    return bytes && ref->size && lies_in(t, ref, offset_of(t, address), ref->size, bytes);
}
