/* Files in a pass: standard output, and what the pass opens by itself, do no harm. */
#include "scheduler/heads/harm.h"

#include "scheduler/base/walk.h"

#include <string.h>

static bool is_file(const struct type *type) {
    return type->kind == TYPE_POINTER && type->element &&
           (strstr(type->element->spelling, "FILE") || strstr(type->element->spelling, "_IO_FILE"));
}

bool harm_takes_stream(const struct function *f) {
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

static bool is_fresh(const struct harm *harm, const struct expr *e, const struct harm_frame *frame,
                     int depth);

/* All that is assigned to it, and all that a function returns, is fresh. */
struct sources {
    const struct harm *harm;
    const struct variable *var;
    const struct harm_frame *frame;
    int depth;
    bool fresh;
};

static void source_visit(void *data, struct expr *expr, struct expr *parent) {
    struct sources *sources = data;
    const struct variable *var = sources->var;
    if (expr->kind == EXPR_ASSIGN && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == var)
        sources->fresh &= is_fresh(sources->harm, expr->args[1], sources->frame, sources->depth);
    if (expr->kind == EXPR_ADDRESS && expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == var)
        sources->fresh = false;
    (void)parent;
}

static void return_visit(void *data, struct stmt *stmt) {
    struct sources *sources = data;
    if (stmt->kind == STMT_RETURN && stmt->expr)
        sources->fresh &= is_fresh(sources->harm, stmt->expr, sources->frame, sources->depth);
}

static bool is_standard(const struct variable *var) {
    return strcmp(var->name, "stdout") == 0 || strcmp(var->name, "stderr") == 0;
}

static bool is_fresh_variable(const struct harm *harm, const struct variable *var,
                              const struct harm_frame *frame, int depth) {
    if (var->storage == STORAGE_PARAM && frame && frame->call && frame->function == var->function &&
        var->writes == 0 && var->param_index < frame->call->nargs)
        return is_fresh(harm, frame->call->args[var->param_index], frame->outer, depth);
    bool inside = var->function && (var->function != harm->head->loop->function ||
                                    head_is_inside(&var->range, harm->head->loop->stmt));
    if (var->storage != STORAGE_LOCAL || !inside)
        return is_standard(var) && !var->function;
    struct sources sources = {harm, var, frame, depth, true};
    if (var->init)
        sources.fresh = is_fresh(harm, var->init, frame, depth);
    emit_walk_stmt(var->function->body, source_visit, &sources);
    return sources.fresh;
}

static bool is_fresh_call(const struct harm *harm, const struct expr *call,
                          const struct harm_frame *frame, int depth) {
    const struct function *f = call->function;
    if (!f || !f->body)
        return f && opens(f);
    struct harm_frame inner = {f, call, frame, depth};
    struct sources sources = {harm, NULL, &inner, depth, true};
    emit_walk_stmts(f->body, return_visit, &sources);
    return sources.fresh;
}

static bool is_fresh(const struct harm *harm, const struct expr *e, const struct harm_frame *frame,
                     int depth) {
    if (depth > 16)
        return false;
    switch (e->kind) {
    case EXPR_INT:
        return true;
    case EXPR_CAST:
        return is_fresh(harm, e->args[0], frame, depth + 1);
    case EXPR_CONDITIONAL:
        return e->args[1] && is_fresh(harm, e->args[1], frame, depth + 1) &&
               is_fresh(harm, e->args[2], frame, depth + 1);
    case EXPR_VAR:
        return is_fresh_variable(harm, e->var, frame, depth + 1);
    case EXPR_CALL:
        return is_fresh_call(harm, e, frame, depth + 1);
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
static bool uses_fresh(const struct harm *harm, const struct expr *call,
                       const struct effects *effects) {
    int stream = effects->stream;
    bool given = stream >= 0 && call->kind == EXPR_CALL && stream < call->nargs;
    bool pointer = given && call->args[stream]->type->kind == TYPE_POINTER;
    return stream == EFFECT_SAFE ||
           (pointer && is_fresh(harm, call->args[stream], harm->frame, 0)) ||
           (given && !pointer && is_standard_descriptor(call, effects));
}

void harm_io(struct harm *harm, const struct expr *call, const struct effects *effects) {
    if (uses_fresh(harm, call, effects))
        return;
    harm_note(harm, ORR3140, call->range,
              arena_printf(harm->unit->arena,
                           "%s goes on in a file that was not opened in the same pass: where it "
                           "stands in it is not saved",
                           call->function->name),
              "open the file in the pass (\"a\" to write behind what is there), or leave it to "
              "after the loop");
}
