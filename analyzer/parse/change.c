/* What assignments and addresses say about variables. */
#include "analyzer/parse/private.h"

#include <string.h>

struct variable *parse_change_root(const struct expr *expr) {
    while (expr) {
        if (expr->kind == EXPR_VAR)
            return expr->var;
        bool array =
            expr->kind == EXPR_SUBSCRIPT && expr->args[0] && type_is_array(expr->args[0]->type);
        if (expr->kind != EXPR_MEMBER && !array)
            return NULL;
        expr = expr->args[0];
    }
    return NULL;
}

void parse_change_write(struct translator *t, const struct expr *lvalue, int id) {
    struct variable *variable = parse_change_root(lvalue);
    if (!variable || t->unevaluated)
        return;
    struct write_list *list = &t->writes[variable->id];
    ++variable->writes;
    variable->changed = id;
    ARENA_PUSH(t->arena, list->at, list->count, id);
}

bool parse_change_moves_itself(const struct expr *expr) {
    const struct expr *target = expr->args[0], *value = expr->args[1];
    if (target->kind != EXPR_VAR)
        return false;
    if (expr->op == OP_ADD || expr->op == OP_SUB)
        return true;
    return expr->op == OP_NONE && value->kind == EXPR_BINARY &&
           (value->op == OP_ADD || value->op == OP_SUB) && value->args[0]->kind == EXPR_VAR &&
           value->args[0]->var == target->var;
}

void parse_change_reset(struct translator *t, const struct expr *lvalue) {
    struct variable *variable = parse_change_root(lvalue);
    if (variable && !t->unevaluated)
        ++variable->resets;
}

void parse_change_address(struct translator *t, const struct expr *lvalue) {
    struct variable *variable = parse_change_root(lvalue);
    if (!variable || t->unevaluated)
        return;
    variable->address_taken = true;
    variable->changed = lvalue->id;
    ++variable->addresses;
}

void parse_change_call(struct translator *t, const struct expr *call) {
    const struct effects *effects = call->function ? effects_of(call->function) : NULL;
    bool fills = false;
    for (int i = 0; effects && i < effects->ntouches; ++i)
        fills = fills || (effects->touches[i].param == EFFECT_REST && effects->touches[i].write);
    for (int i = 0; fills && !t->unevaluated && i < call->nargs; ++i) {
        const struct expr *arg = call->args[i];
        if (arg->kind == EXPR_ADDRESS && arg->args[0]->kind == EXPR_VAR)
            ++arg->args[0]->var->lent;
    }
}

/* The function may be called there, with any arguments. */
static void function_spoil(struct translator *t, struct node target, struct expr *named) {
    struct expr *function = arena_alloc(t->arena, sizeof *function);
    function->kind = EXPR_FUNCTION;
    function->id = t->unit->nexprs++;
    function->function = parse_function_get(t, target);
    function->type = parse_type_get(t, node_type(target));
    ARENA_PUSH(t->arena, named->args, named->nargs, function);
}

void parse_change_spoil(struct translator *t, struct node node, struct expr *named) {
    struct node *stack = NULL, *children;
    int count = 0;
    ARENA_PUSH(t->arena, stack, count, node);
    while (count) {
        struct node top = stack[--count];
        struct node target = top.kind == NODE_REFERENCE ? node_referenced(top) : top;
        if (top.kind == NODE_FOR)
            parse_for_hidden(t, top, "stands inside something that is not understood");
        if (!t->unevaluated && (target.kind == NODE_VARIABLE || target.kind == NODE_PARAMETER)) {
            struct variable *variable = parse_variable_get(t, target);
            struct write_list *list = &t->writes[variable->id];
            variable->address_taken = true;
            ++variable->writes;
            ++variable->resets;
            ++variable->addresses;
            variable->changed = t->unit->nexprs;
            ARENA_PUSH(t->arena, list->at, list->count, t->unit->nexprs++);
        }
        if (top.kind == NODE_REFERENCE && target.kind == NODE_FUNCTION)
            function_spoil(t, target, named);
        int n = node_children(t->door, top, &children);
        for (int i = n - 1; i >= 0; --i)
            ARENA_PUSH(t->arena, stack, count, children[i]);
    }
}
