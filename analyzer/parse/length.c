/*
 * Lengths of variable arrays: where they hang in types, and what is evaluated where a type names
 * them. A type that contains one is evaluated by declarations, typedefs and casts, also where it is
 * spelled by typeof; sizeof evaluates what is such an array itself; nothing else does (C23 6.7.7.3,
 * 6.5.4.5; gcc and clang agree).
 */
#include "analyzer/parse/private.h"

/* Somewhere in the type is an array of variable length: `int (*)[n]`. */
static bool parse_length_is_in(struct ctype type) {
    for (type = ctype_canonical(type);; type = ctype_canonical(ctype_element(type))) {
        enum ctype_class class = ctype_class(type);
        if (class == CTYPE_VLA)
            return true;
        if (class != CTYPE_POINTER && class != CTYPE_ARRAY && class != CTYPE_INCOMPLETE_ARRAY &&
            class != CTYPE_FUNCTION)
            return false;
    }
}

/* ---- where they hang */

/* The array types that a declarator spells, outermost first; typedefs inside are their own. */
static int spelled_arrays(struct translator *t, struct ctype type, struct ctype **arrays) {
    int count = 0;
    *arrays = NULL;
    for (;;) {
        struct ctype underlying;
        if (ctype_typedef(type, &underlying).kind != NODE_NONE)
            return count;
        enum ctype_class class = ctype_class(type);
        if (class == CTYPE_ARRAY || class == CTYPE_VLA)
            ARENA_PUSH(t->arena, *arrays, count, type);
        else if (class != CTYPE_POINTER && class != CTYPE_INCOMPLETE_ARRAY)
            return count;
        type = ctype_element(type);
    }
}

static void bound_set(struct type *array, struct expr *bound) {
    if (array->kind == TYPE_VLA && !array->vla_count)
        array->vla_count = bound;
}

/* The same along the type's own chain: its arrays may be qualified copies. */
static void bounds_hang(struct type *type, struct expr **bounds, int count) {
    for (int i = 0; type && i < count; type = (struct type *)type->element) {
        bool incomplete = type->kind == TYPE_ARRAY && !type->count && type->size < 0;
        if (type_is_array(type) && !incomplete)
            bound_set(type, bounds[i++]);
        else if (type->kind != TYPE_POINTER && !incomplete)
            return;
    }
}

/* ---- what is evaluated */

/* libclang lists the bounds as children of the declaration, innermost first: here outermost. */
static int bounds_make(struct translator *t, const struct node *nodes, int count, struct node skip,
                       struct expr ***made) {
    int nbounds = 0;
    *made = NULL;
    for (int i = count - 1; i >= 0; --i)
        if (node_is_expression(nodes[i]) && !node_is_same(nodes[i], skip))
            ARENA_PUSH(t->arena, *made, nbounds, parse_expr_make(t, nodes[i]));
    return nbounds;
}

struct expr *parse_length_make(struct translator *t, struct ctype type, const struct node *nodes,
                               int count, struct node skip) {
    struct ctype *arrays;
    struct expr **bounds, *all = NULL;
    if (!parse_length_is_in(type))
        return NULL;
    int narrays = spelled_arrays(t, type, &arrays);
    int nbounds = bounds_make(t, nodes, count, skip, &bounds);
    for (int i = 0; i < narrays && nbounds == narrays; ++i)
        bound_set((struct type *)parse_type_get(t, arrays[i]), bounds[i]);
    if (nbounds == narrays)
        bounds_hang((struct type *)parse_type_get(t, type), bounds, nbounds);
    for (int i = 0; i < nbounds; ++i)
        if (bounds[i]->kind != EXPR_INT)
            all = parse_expr_then(t, all, bounds[i]);
    return all;
}

bool parse_length_changes(const struct expr *expr) {
    bool changes = expr && (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_INCREMENT ||
                            expr->kind == EXPR_UNKNOWN);
    for (int i = 0; expr && i < expr->nargs; ++i)
        changes |= parse_length_changes(expr->args[i]);
    return changes;
}

bool parse_length_is_own(const struct expr *expr) {
    const struct variable *var = expr && expr->kind == EXPR_VAR ? expr->var : NULL;
    bool own = expr && (expr->kind == EXPR_INT || expr->kind == EXPR_BINARY ||
                        expr->kind == EXPR_COMMA || var);
    own &= !var || (!var->address_taken &&
                    (var->storage == STORAGE_LOCAL || var->storage == STORAGE_PARAM));
    for (int i = 0; own && i < expr->nargs; ++i)
        own &= parse_length_is_own(expr->args[i]);
    return own;
}

bool parse_length_calls(const struct expr *expr) {
    bool calls = expr && expr->kind == EXPR_CALL;
    for (int i = 0; expr && i < expr->nargs; ++i)
        calls |= parse_length_calls(expr->args[i]);
    return calls || parse_length_changes(expr);
}
