/* Files in a pass: standard output, and what the pass opens by itself, do no harm. */
#include "scheduler/heads/harm.h"

#include "scheduler/base/walk.h"

#include <string.h>

/* Which argument is the stream; -1: standard output; -2: opens one; -3: a file descriptor, or
 * standard input. */
static const struct {
    const char *name;
    int stream;
} table[] = {
    {"printf", -1},  {"vprintf", -1},      {"puts", -1},  {"putchar", -1},
    {"perror", -1},  {"__printf_chk", -1}, {"fopen", -2}, {"fprintf", 0},
    {"vfprintf", 0}, {"__fprintf_chk", 0}, {"fputs", 1},  {"putc", 1},
    {"fputc", 1},    {"putc_unlocked", 1}, {"fwrite", 3}, {"fread", 3},
    {"fgets", 2},    {"fgetc", 0},         {"getc", 0},   {"getc_unlocked", 0},
    {"getline", 2},  {"fscanf", 0},        {"fclose", 0}, {"fflush", 0},
    {"fseek", 0},    {"ftell", 0},         {"rewind", 0}, {"ungetc", 1},
    {"feof", 0},     {"ferror", 0},
};

static int stream_of(const char *name) {
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
        if (strcmp(table[i].name, name) == 0)
            return table[i].stream;
    return -3;
}

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
        return f && strcmp(f->name, "fopen") == 0;
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

static bool is_standard_descriptor(const struct expr *call) {
    bool writes =
        strcmp(call->function->name, "write") == 0 || strcmp(call->function->name, "dprintf") == 0;
    return writes && call->nargs > 0 && call->args[0]->kind == EXPR_INT &&
           (call->args[0]->int_value == 1 || call->args[0]->int_value == 2);
}

void harm_io(struct harm *harm, const struct expr *call) {
    const char *name = call->function->name;
    int stream = stream_of(strncmp(name, "__builtin_", 10) == 0 ? name + 10 : name);
    if (stream == -1 || stream == -2 || (stream == -3 && is_standard_descriptor(call)))
        return;
    bool known = stream >= 0 && call->kind == EXPR_CALL && stream < call->nargs;
    if (known && is_fresh(harm, call->args[stream], harm->frame, 0))
        return;
    harm_note(harm, ORR3140, call->range,
              arena_printf(harm->unit->arena,
                           "%s goes on in a file that was not opened in the same pass: where it "
                           "stands in it is not saved",
                           name),
              "open the file in the pass (\"a\" to write behind what is there), or leave it to "
              "after the loop");
}
