/*
 * Touches that surely stay inside of their memory, by the bounds of the loops around them: of a
 * declared array, or of what malloc or calloc gave a variable that is declared with it, in a
 * function that frees it nowhere in front of the loop's end. (Where there was no memory the program
 * follows a null pointer anyhow, or leaves.)
 */
#include "analyzer/access/fault/fault.h"
#include "analyzer/access/objects/allocation.h"
#include "analyzer/access/subscripts/layout.h"

static bool is_natural(struct walk *w, const struct poly *p, const struct lower_bounds *bounds) {
    return p && poly_nonnegative(&w->atoms, p, bounds);
}

/* 0 <= p and p + size <= end, in every iteration. */
static bool lies_in(struct walk *w, const struct raw *raw, const struct poly *p,
                    const struct poly *size, const struct poly *end) {
    struct lower_bounds bounds = layout_facts(w, raw);
    const struct poly *low = layout_bound(w, raw, p, false, &bounds);
    const struct poly *high = layout_bound(w, raw, p, true, &bounds);
    return is_natural(w, low, &bounds) &&
           is_natural(w, poly_subtract(w->arena, end, poly_add(w->arena, high, size)), &bounds);
}

/* The bytes from where the region begins. */
static const struct poly *offset_of(struct walk *w, const struct value *address) {
    const struct poly *offset = address->poly;
    for (int i = 0; i < address->nparts; ++i) {
        const struct part *part = &address->parts[i];
        offset = poly_add(w->arena, offset, poly_multiply(w->arena, part->index, part->stride));
    }
    return offset;
}

struct release {
    const struct variable *var;
    unsigned end;
    bool found;
};

/* free(p), or any other call of the C library that takes p and is not known to leave it alone. */
static void see_release(void *data, struct expr *e) {
    struct release *release = data;
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
        release->found = release->found || (arg->kind == EXPR_VAR && arg->var == release->var);
    }
}

static bool is_kept(const struct walk *w, const struct variable *var) {
    struct release release = {.var = var, .end = w->loop->stmt->range.end.offset};
    stmt_visit(w->loop->function->body, see_release, &release);
    return !release.found;
}

/* How much memory there is from the region's beginning on; NULL: that is not known. */
static const struct poly *bytes_of(struct walk *w, const struct region *region) {
    const struct variable *var = region->var;
    if (!var)
        return NULL;
    if (region->kind == REGION_VARIABLE || (region->kind == REGION_LOCAL && !region->fresh)) {
        bool whole = var->type->kind == TYPE_ARRAY || var->type->kind == TYPE_STRUCT;
        return whole && var->type->size > 0 && !var->is_extern
                   ? poly_constant(w->arena, var->type->size)
                   : NULL;
    }
    bool own = region->kind == REGION_POINTER && region->expr && region->expr->kind == EXPR_VAR &&
               var->function == w->loop->function && var->init && var->writes == 0;
    return own && is_kept(w, var) ? allocation_bytes(w, var) : NULL;
}

bool touch_is_inside(struct walk *w, const struct raw *raw) {
    const struct value *address = raw->address;
    const struct poly *bytes =
        address->row || address->nwraps ? NULL : bytes_of(w, address->region);
    return bytes && raw->size && lies_in(w, raw, offset_of(w, address), raw->size, bytes);
}
