/* A definition of another unit, rewritten in place into one of this unit. */
#include "analyzer/join/private.h"
#include "analyzer/messages.h"

#include <string.h>

void join_range(const struct join *join, struct range *range) {
    range->exact = false;
    range->begin.file += range->begin.file >= 0 ? join->files : 0;
    range->end.file += range->end.file >= 0 ? join->files : 0;
}

/* ---- variables */

static struct variable *find_global(const struct join *join, const struct variable *var) {
    for (int i = 0; i < join->unit->nglobals; ++i) {
        struct variable *own = join->unit->globals[i];
        if (own->storage == STORAGE_GLOBAL && strcmp(own->name, var->name) == 0)
            return own;
    }
    return NULL;
}

/* The variable that both files can name. An array may be complete in one of them only. */
static struct variable *global_of(struct join *join, struct variable *var) {
    struct variable *own = find_global(join, var);
    if (!own)
        join_fail(
            join, ORR2261,
            arena_printf(join->arena, "it uses `%s`, which this file does not declare", var->name));
    else if (own->type != join_type(join, var->type))
        join_fail(join, ORR2262,
                  arena_printf(join->arena, "`%s` has another type in this file", var->name));
    return own ? own : var;
}

void join_variable(struct join *join, struct variable *var) {
    if (var->id >= join->variables)
        return;
    var->id += join->variables;
    var->function = join->function;
    join_range(join, &var->range);
    var->type = join_type(join, var->type);
    join_expr(join, var->init);
}

static struct variable *variable_of(struct join *join, struct variable *var) {
    if (var->storage == STORAGE_GLOBAL)
        return global_of(join, var);
    if (var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL) {
        join_fail(
            join, ORR2261,
            arena_printf(join->arena, "it uses `%s`, which only that file can name", var->name));
        return var;
    }
    join_variable(join, var);
    return var;
}

/* ---- expressions */

static void join_names(struct join *join, struct expr *expr) {
    if (expr->var)
        expr->var = variable_of(join, expr->var);
    if (expr->function)
        expr->function = join_function(join, expr->function);
    if (expr->field && !join->wrong)
        expr->field = join_field(join, expr->args[0]->type->record, expr->field);
}

void join_expr(struct join *join, struct expr *expr) {
    if (!expr || expr->id >= join->exprs || join->wrong)
        return;
    expr->id += expr->id >= 0 ? join->exprs : 0;
    join_range(join, &expr->range);
    expr->type = join_type(join, expr->type);
    for (int i = 0; i < expr->nargs; ++i)
        join_expr(join, expr->args[i]);
    join_names(join, expr);
}

/* ---- statements */

static void join_loop(struct join *join, struct loop *loop) {
    loop->function = join->function;
    join_range(join, &loop->header);
    join_stmt(join, loop->init);
    join_expr(join, loop->cond);
    join_expr(join, loop->next);
    join_expr(join, loop->lower);
    join_expr(join, loop->upper);
    join_expr(join, loop->within);
    for (int i = 0; i < loop->nentries; ++i)
        join_variable(join, loop->entries[i]);
    join_stmt(join, loop->body);
    if (loop->variable)
        loop->variable = variable_of(join, loop->variable);
}

void join_stmt(struct join *join, struct stmt *stmt) {
    if (!stmt || join->wrong)
        return;
    join_range(join, &stmt->range);
    join_expr(join, stmt->expr);
    join_stmt(join, stmt->then);
    join_stmt(join, stmt->other);
    for (int i = 0; i < stmt->nbody; ++i)
        join_stmt(join, stmt->body[i]);
    for (int i = 0; i < stmt->nvars; ++i)
        stmt->vars[i] = variable_of(join, stmt->vars[i]);
    if (stmt->loop)
        join_loop(join, stmt->loop);
}
