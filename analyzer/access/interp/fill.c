/* memset, memcpy and their like:
 * so many bytes are so many elements, touched by a loop over them. */
#include "analyzer/access/interp/interp.h"

enum { MAX_LEVELS = 6 };

/* Bytes from one index to the next, outermost first; the innermost is an element. */
struct levels {
    int n;
    long stride[MAX_LEVELS];
};

static void levels_of_type(const struct type *type, struct levels *levels) {
    while (type && type->kind == TYPE_ARRAY && levels->n < MAX_LEVELS) {
        type = type->element;
        if (!type || type->size <= 0) {
            levels->n = 0;
            return;
        }
        levels->stride[levels->n++] = type->size;
    }
}

/* The rows that the bytes at `address` stand in, as far as its type tells. */
static struct levels levels_of(const struct value *address, const struct type *pointed) {
    const struct region *region = address->region;
    struct levels levels = {0};
    if (region->kind == REGION_VARIABLE && address->nparts == 0) {
        levels_of_type(region->var->type, &levels);
    } else if (pointed && pointed->kind == TYPE_ARRAY) {
        levels.stride[levels.n++] = pointed->size;
        levels_of_type(pointed, &levels);
    }
    if (levels.n == 0 && region->element && region->element->size > 0)
        levels.stride[levels.n++] = region->element->size;
    return levels;
}

static struct variable *counter_new(struct interp *w, const struct expr *e) {
    struct variable *var = arena_alloc(w->arena, sizeof *var);
    *var = (struct variable){.name = "element",
                             .type = type_long(),
                             .storage = STORAGE_LOCAL,
                             .function = w->loop->function,
                             .range = e->range};
    return var;
}

/* for (element = 0; element < count; element++), as if it stood there. */
static int enter_loop(struct interp *w, const struct expr *e, const struct poly *count) {
    struct loop *loop = arena_alloc(w->arena, sizeof *loop);
    *loop = (struct loop){.variable = counter_new(w, e),
                          .function = w->loop->function,
                          .header = e->range,
                          .canonical = true,
                          .declares_variable = true,
                          .relation = OP_LT,
                          .step = 1};
    struct sym *sym = arena_alloc(w->arena, sizeof *sym);
    *sym = (struct sym){.kind = SYMBOL_LOOP, .loop = loop, .scope = -1, .id = w->trace.syms->count};
    sym->lower = poly_constant(w->arena, 0);
    sym->upper = poly_add(w->arena, count, poly_constant(w->arena, -1));
    sym->expr = expr_new(w->arena, EXPR_VAR, type_long(), e->range);
    sym->expr->var = loop->variable;
    ARENA_PUSH(w->arena, w->trace.syms->items, w->trace.syms->count, sym);
    struct interp_inner inner = {
        .loop = loop, .sym = sym, .lower = sym->lower, .upper = sym->upper, .step = 1};
    ARENA_PUSH(w->arena, w->inner, w->trace.ninner, inner);
    w->trace.inner = w->inner;
    ARENA_PUSH(w->arena, w->active, w->nactive, w->trace.ninner - 1);
    return w->trace.ninner - 1;
}

const struct value *fill_enter(struct interp *w, const struct value *address,
                               const struct poly *size, const struct expr *e,
                               const struct type *pointed, long *element) {
    struct levels levels = levels_of(address, pointed);
    int first = 0;
    while (first < levels.n &&
           !poly_divide(w->arena, size, poly_constant(w->arena, levels.stride[first]))) {
        ++first;
    }
    if (!size || !address->poly || first == levels.n)
        return NULL;
    struct value *at = arena_alloc(w->arena, sizeof *at);
    *at = *address;
    const struct poly *count =
        poly_divide(w->arena, size, poly_constant(w->arena, levels.stride[first]));
    for (int i = first; i < levels.n; ++i) {
        int level = enter_loop(w, e, count);
        at->poly = poly_add(
            w->arena, at->poly,
            poly_scale(w->arena, poly_sym(w->arena, w->trace.inner[level].sym), levels.stride[i]));
        count = i + 1 < levels.n ? poly_constant(w->arena, levels.stride[i] / levels.stride[i + 1])
                                 : NULL;
    }
    at->level = w->trace.ninner - 1;
    *element = levels.stride[levels.n - 1];
    return at;
}
