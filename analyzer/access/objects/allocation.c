/* How many bytes malloc or calloc gave a variable. */
#include "analyzer/access/objects/allocation.h"

#include <string.h>

static bool is_loop_around(const void *range, const struct stmt *s) {
    bool loop = s->kind == STMT_FOR || s->kind == STMT_WHILE || s->kind == STMT_DO;
    return loop && range_holds_start(&s->range, range);
}

/* One value for as long as its function runs. */
static bool is_fixed(const struct trace *t, const struct variable *var) {
    if (var->writes > 0 || var->address_taken || var->type->kind != TYPE_INT ||
        var->function != t->loop->function ||
        (var->storage == STORAGE_LOCAL ? !var->init : var->storage != STORAGE_PARAM)) {
        return false;
    }
    return !stmt_any(t->loop->function->body, is_loop_around, &var->range);
}

static const struct poly *poly_of(const struct trace *t, struct expr *e) {
    if (e->kind == EXPR_INT)
        return poly_constant(t->arena, (long)e->int_value);
    if (e->kind == EXPR_CAST && e->type && e->type->kind == TYPE_INT && e->type->size == 8)
        return poly_of(t, e->args[0]);
    if (e->kind == EXPR_VAR && is_fixed(t, e->var))
        return poly_sym(t->arena, sym_of(t->syms, SYMBOL_PARAM, e, -1));
    if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_MUL))
        return NULL;
    const struct poly *a = poly_of(t, e->args[0]), *b = poly_of(t, e->args[1]);
    return e->op == OP_ADD ? poly_add(t->arena, a, b) : poly_multiply(t->arena, a, b);
}

/* malloc(n) or calloc(n, size). */
static const struct poly *bytes_of(const struct trace *t, const struct expr *call) {
    if (strcmp(call->function->name, "malloc") == 0 && call->nargs == 1)
        return poly_of(t, call->args[0]);
    bool array = strcmp(call->function->name, "calloc") == 0 && call->nargs == 2;
    return array ? poly_multiply(t->arena, poly_of(t, call->args[0]), poly_of(t, call->args[1]))
                 : NULL;
}

const struct poly *allocation_bytes(const struct trace *t, const struct variable *var) {
    const struct expr *call = origins_allocation(t->origins, var);
    return call ? bytes_of(t, call) : NULL;
}
