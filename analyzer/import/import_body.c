/* A definition of another unit, rewritten in place into one of this unit. */
#include "analyzer/import/private.h"
#include "analyzer/messages.h"

#include <string.h>

void import_range(const struct import *import, struct range *range) {
    range->exact = false;
    range->begin.file += range->begin.file >= 0 ? import->files : 0;
    range->end.file += range->end.file >= 0 ? import->files : 0;
}

/* ---- variables */

static struct variable *find_global(const struct import *import, const struct variable *var) {
    for (int i = 0; i < import->unit->nglobals; ++i) {
        struct variable *own = import->unit->globals[i];
        if (own->storage == STORAGE_GLOBAL && strcmp(own->name, var->name) == 0)
            return own;
    }
    return NULL;
}

/* The variable that both files can name. An array may be complete in one of them only. */
static struct variable *global_of(struct import *import, struct variable *var) {
    struct variable *own = find_global(import, var);
    if (!own)
        import_fail(import, ORR2261,
                    arena_printf(import->arena, "it uses `%s`, which this file does not declare",
                                 var->name));
    else if (own->type != import_type(import, var->type))
        import_fail(import, ORR2262,
                    arena_printf(import->arena, "`%s` has another type in this file", var->name));
    return own ? own : var;
}

void import_variable(struct import *import, struct variable *var) {
    if (var->id >= import->variables)
        return;
    var->id += import->variables;
    var->function = import->function;
    import_range(import, &var->range);
    var->type = import_type(import, var->type);
    import_expr(import, var->init);
}

static struct variable *variable_of(struct import *import, struct variable *var) {
    if (var->storage == STORAGE_GLOBAL)
        return global_of(import, var);
    if (var->storage == STORAGE_STATIC || var->storage == STORAGE_STATIC_LOCAL) {
        import_fail(
            import, ORR2261,
            arena_printf(import->arena, "it uses `%s`, which only that file can name", var->name));
        return var;
    }
    import_variable(import, var);
    return var;
}

/* ---- expressions */

static void import_names(struct import *import, struct expr *expr) {
    if (expr->var)
        expr->var = variable_of(import, expr->var);
    if (expr->function)
        expr->function = import_function(import, expr->function);
    if (expr->field && !import->wrong)
        expr->field = import_field(import, expr->args[0]->type->record, expr->field);
}

void import_expr(struct import *import, struct expr *expr) {
    if (!expr || expr->id >= import->exprs || import->wrong)
        return;
    expr->id += expr->id >= 0 ? import->exprs : 0;
    import_range(import, &expr->range);
    expr->type = import_type(import, expr->type);
    for (int i = 0; i < expr->nargs; ++i)
        import_expr(import, expr->args[i]);
    import_names(import, expr);
}

/* ---- statements */

static void import_loop(struct import *import, struct loop *loop) {
    loop->function = import->function;
    import_range(import, &loop->header);
    import_stmt(import, loop->init);
    import_expr(import, loop->cond);
    import_expr(import, loop->next);
    import_expr(import, loop->lower);
    import_expr(import, loop->upper);
    import_expr(import, loop->within);
    for (int i = 0; i < loop->nentries; ++i)
        import_variable(import, loop->entries[i]);
    import_stmt(import, loop->body);
    if (loop->variable)
        loop->variable = variable_of(import, loop->variable);
}

void import_stmt(struct import *import, struct stmt *stmt) {
    if (!stmt || import->wrong)
        return;
    import_range(import, &stmt->range);
    import_expr(import, stmt->expr);
    import_stmt(import, stmt->then);
    import_stmt(import, stmt->other);
    for (int i = 0; i < stmt->nbody; ++i)
        import_stmt(import, stmt->body[i]);
    for (int i = 0; i < stmt->nvars; ++i)
        stmt->vars[i] = variable_of(import, stmt->vars[i]);
    if (stmt->loop)
        import_loop(import, stmt->loop);
}
