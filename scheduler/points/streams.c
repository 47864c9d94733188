/* Files in a pass: standard output, and what the pass opens by itself, do no harm. */
#include "scheduler/points/unsafe.h"

#include <string.h>

static bool is_file(const struct type *type) {
    return type->kind == TYPE_POINTER && type->element &&
           (strstr(type->element->spelling, "FILE") || strstr(type->element->spelling, "_IO_FILE"));
}

bool unsafe_takes_stream(const struct function *f) {
    for (int i = 0; i < f->nparams; ++i)
        if (is_file(f->params[i]->type))
            return true;
    return false;
}

/* It gives back a stream that it has opened itself. */
static bool opens(const struct function *f) {
    const struct effects *effects = effects_of(f);
    return effects && effects->effect == EFFECT_IO && effects->stream == EFFECT_SAFE &&
           is_file(f->result);
}

static bool is_fresh(const struct unsafe *unsafe, const struct expr *e,
                     const struct unsafe_frame *frame, int depth);

/* All that is assigned to it, and all that a function returns, is fresh. */
struct sources {
    const struct unsafe *unsafe;
    const struct variable *var;
    const struct unsafe_frame *frame;
    int depth;
};

static bool is_set_otherwise(const void *data, const struct expr *expr) {
    const struct sources *sources = data;
    bool names = (expr->kind == EXPR_ASSIGN || expr->kind == EXPR_ADDRESS) &&
                 expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == sources->var;
    return names && (expr->kind == EXPR_ADDRESS ||
                     !is_fresh(sources->unsafe, expr->args[1], sources->frame, sources->depth));
}

static bool is_returned_otherwise(const void *data, const struct stmt *stmt) {
    const struct sources *sources = data;
    return stmt->kind == STMT_RETURN && stmt->expr &&
           !is_fresh(sources->unsafe, stmt->expr, sources->frame, sources->depth);
}

static bool is_standard(const struct variable *var) {
    return strcmp(var->name, "stdout") == 0 || strcmp(var->name, "stderr") == 0;
}

static bool is_fresh_variable(const struct unsafe *unsafe, const struct variable *var,
                              const struct unsafe_frame *frame, int depth) {
    if (var->storage == STORAGE_PARAM && frame && frame->call && frame->function == var->function &&
        var->writes == 0 && var->param_index < frame->call->nargs)
        return is_fresh(unsafe, frame->call->args[var->param_index], frame->outer, depth);
    bool inside =
        var->function && (var->function != unsafe->ckpt_point->loop->function ||
                          range_holds(&unsafe->ckpt_point->loop->stmt->range, &var->range));
    if (var->storage != STORAGE_LOCAL || !inside)
        return is_standard(var) && !var->function;
    const struct sources sources = {unsafe, var, frame, depth};
    return (!var->init || is_fresh(unsafe, var->init, frame, depth)) &&
           !stmt_any_expr(var->function->body, is_set_otherwise, &sources);
}

static bool is_fresh_call(const struct unsafe *unsafe, const struct expr *call,
                          const struct unsafe_frame *frame, int depth) {
    const struct function *f = call->function;
    if (!f || !f->body)
        return f && opens(f);
    struct unsafe_frame inner = {f, call, frame, depth};
    const struct sources sources = {unsafe, NULL, &inner, depth};
    return !stmt_any(f->body, is_returned_otherwise, &sources);
}

static bool is_fresh(const struct unsafe *unsafe, const struct expr *e,
                     const struct unsafe_frame *frame, int depth) {
    if (depth > 16)
        return false;
    switch (e->kind) {
    case EXPR_INT:
        return true;
    case EXPR_CAST:
        return is_fresh(unsafe, e->args[0], frame, depth + 1);
    case EXPR_CONDITIONAL:
        return e->args[1] && is_fresh(unsafe, e->args[1], frame, depth + 1) &&
               is_fresh(unsafe, e->args[2], frame, depth + 1);
    case EXPR_VAR:
        return is_fresh_variable(unsafe, e->var, frame, depth + 1);
    case EXPR_CALL:
        return is_fresh_call(unsafe, e, frame, depth + 1);
    default:
        return false;
    }
}

/* write(1, ...) */
static bool is_standard_descriptor(const struct expr *call, const struct effects *effects) {
    const struct expr *file = call->args[effects->stream];
    return effects->marks & EFFECT_OUTPUT && file->kind == EXPR_INT &&
           (file->int_value == 1 || file->int_value == 2);
}

/* What the call uses stands where it stood when the pass began. */
static bool uses_fresh(const struct unsafe *unsafe, const struct expr *call,
                       const struct effects *effects) {
    int stream = effects->stream;
    bool given = stream >= 0 && call->kind == EXPR_CALL && stream < call->nargs;
    bool pointer = given && call->args[stream]->type->kind == TYPE_POINTER;
    return stream == EFFECT_SAFE ||
           (pointer && is_fresh(unsafe, call->args[stream], unsafe->frame, 0)) ||
           (given && !pointer && is_standard_descriptor(call, effects));
}

void unsafe_io(struct unsafe *unsafe, const struct expr *call, const struct effects *effects) {
    if (uses_fresh(unsafe, call, effects))
        return;
    unsafe_note(unsafe, ORR3140, call->range,
                arena_printf(unsafe->unit->arena,
                             "%s goes on in a file that was not opened in the same pass: where it "
                             "stands in it is not saved",
                             call->function->name),
                "open the file in the pass (\"a\" to write behind what is there), or leave it to "
                "after the loop");
}
