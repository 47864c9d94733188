/*
 * Loops whose variables are more than (type)(lower + index * step): pointers, several variables,
 * steps that are no constants, variables that the body itself moves. At the start of an iteration
 * each is set to what it would be: entry + index * by.
 */
#include "scheduler/outline/outline.h"

#include <string.h>

const char *emit_outside_name(const struct variable *var) {
    return var->entry_of ? var->entry_of->name : var->name;
}

bool emit_is_moving(const struct outline *job) {
    const struct loop *loop = job->loop;
    const struct stmt *init = loop->init;
    const struct expr *set = init && init->kind == STMT_EXPR ? init->expr : NULL;
    bool several = init && init->kind == STMT_DECL && init->nvars != 1;
    several |= set && (set->kind != EXPR_ASSIGN || set->args[1]->kind == EXPR_ASSIGN);
    return loop->form != LOOP_FOR || loop->steps_in_body || !loop->lower || several ||
           job->facts->by_number || job->facts->ninductions > 0;
}

static const char *by_name(struct outline *job, const struct induction *induction) {
    return arena_printf(job->arena, "orrery_by_%s", induction->var->name);
}

/* A loop without iterations evaluates nothing. */
static const char *by_text(struct outline *job, const struct expr *by) {
    const char *asked = by->kind == EXPR_INT       ? ""
                        : emit_ready_is_early(job) ? "!orrery_ready ? 0 : "
                                                   : "orrery_count <= 0 ? 0 : ";
    return arena_printf(job->arena, "%s(long)(%s)", asked, expr_print(job->arena, by));
}

/* A field per amount; those of where the variables begin are captures. */
void emit_moving_collect(struct outline *job) {
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const char *name = by_name(job, induction);
        struct env_field field = {
            .role = FIELD_VALUE,
            .name = name,
            .member = arena_printf(job->arena, "long %s", name),
            .local = arena_printf(job->arena, "const long %s", name),
            .value = by_text(job, induction->by),
        };
        ARENA_PUSH(job->arena, job->fields, job->nfields, field);
    }
}

/* ---- in our functions ------------------------------------------------------------------------ */

static void print_variable(struct outline *job, const struct induction *induction,
                           const char *index, const char *indent, struct text *out) {
    const struct variable *var = induction->var, *entry = induction->entry;
    const char *sum =
        arena_printf(job->arena, "%s + %s * %s", entry->name, index, by_name(job, induction));
    if (var->type->kind == TYPE_POINTER)
        text_print(out, "%s__typeof__(%s) %s = %s;\n", indent, entry->name, var->name, sum);
    else
        text_print(out, "%s%s = (%s)(%s);\n", indent, emit_declare_plain(job, var->type, var->name),
                   emit_type_plain(job, var->type), sum);
    text_print(out, "%s(void)%s;\n", indent, var->name);
}

const char *emit_variables_text(struct outline *job, const char *lower, const char *index,
                                const char *indent) {
    const struct variable *var = job->loop->variable;
    struct text out;
    text_start(&out, job->arena);
    if (!job->facts->by_number)
        text_print(&out, "%s%s = %s;\n", indent, emit_declare_plain(job, var->type, var->name),
                   emit_variable_of(job, lower, index));
    for (int i = 0; i < job->facts->ninductions; ++i)
        print_variable(job, &job->facts->inductions[i], index, indent, &out);
    return out.bytes;
}

/* ---- the header's initial part, twice -------------------------------------------------------- */

/* Is one of the variables that `init` assigns `var`? */
static bool assigns(const struct expr *init, const struct variable *var) {
    if (init->kind == EXPR_ASSIGN && init->args[0]->kind == EXPR_VAR && init->args[0]->var == var)
        return true;
    for (int i = 0; i < init->nargs; ++i)
        if (assigns(init->args[i], var))
            return true;
    return false;
}

static bool reads_assigned(const struct expr *value, const struct expr *init) {
    if (value->kind == EXPR_VAR && assigns(init, value->var))
        return true;
    for (int i = 0; i < value->nargs; ++i)
        if (reads_assigned(value->args[i], init))
            return true;
    return false;
}

static bool has_effect(const struct expr *value) {
    bool effect = value->kind == EXPR_CALL || value->kind == EXPR_ASSIGN ||
                  value->kind == EXPR_INCREMENT || value->kind == EXPR_UNKNOWN;
    for (int i = 0; i < value->nargs && !effect; ++i)
        effect = has_effect(value->args[i]);
    return effect;
}

/* `i = 0, j = n`, `i = j = 0`: says the same the second time. */
static bool repeats(const struct expr *part, const struct expr *init) {
    if (part->kind == EXPR_COMMA)
        return repeats(part->args[0], init) && repeats(part->args[1], init);
    if (part->kind != EXPR_ASSIGN || part->op != OP_NONE || part->args[0]->kind != EXPR_VAR)
        return false;
    const struct expr *value = part->args[1];
    return value->kind == EXPR_ASSIGN ? repeats(value, init)
                                      : !has_effect(value) && !reads_assigned(value, init);
}

bool emit_moving_check(struct outline *job) {
    const struct stmt *init = job->loop->init;
    bool safe = true;
    if (!emit_falls_back(job) || !emit_is_moving(job) || !init)
        return true;
    for (int i = 0; init->kind == STMT_DECL && i < init->nvars; ++i)
        safe &= !init->vars[i]->init || !has_effect(init->vars[i]->init);
    if (init->kind == STMT_EXPR)
        safe = repeats(init->expr, init->expr);
    return safe || emit_refuse(job, ORR2318, job->loop->header,
                               "the loop stays serial: its header's initial part would run twice "
                               "when the run falls back to the serial loop");
}

/* ---- at the call ----------------------------------------------------------------------------- */

static void print_declarations(struct outline *job, const struct stmt *init, struct text *out) {
    for (int i = 0; i < init->nvars; ++i) {
        const struct variable *var = init->vars[i];
        text_print(out, "%s", emit_declare(job, var->type, var->name));
        if (var->init)
            text_print(out, " = %s", expr_print(job->arena, var->init));
        text_print(out, "; (void)%s; ", var->name);
    }
}

void emit_moving_print_start(struct outline *job, struct text *out) {
    const struct loop *loop = job->loop;
    const struct variable *var = loop->variable;
    if (loop->init && loop->init->kind == STMT_DECL)
        print_declarations(job, loop->init, out);
    else if (loop->init && loop->init->kind == STMT_EXPR)
        text_print(out, "%s; ", expr_print(job->arena, loop->init->expr));
    if (var->type->kind == TYPE_POINTER)
        text_print(out, "__typeof__(%s) orrery_first = %s; ", var->name, var->name);
    else
        text_print(out, "%s = (%s)(%s + (%ld)); ",
                   emit_declare_plain(job, var->type, "orrery_first"),
                   emit_type_plain(job, var->type), var->name, loop->ahead);
}

void emit_moving_print_end(struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    if (!job->facts->by_number)
        text_print(out, "%s = %s; ", var->name,
                   emit_variable_of(job, "(long)orrery_first", "orrery_count"));
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const char *name = induction->var->name;
        if (induction->var->type->kind == TYPE_POINTER)
            text_print(out, "%s += orrery_count * orrery_env.%s; ", name, by_name(job, induction));
        else
            text_print(out, "%s = (%s)(%s + orrery_count * orrery_env.%s); ", name,
                       emit_type_plain(job, induction->var->type), name, by_name(job, induction));
    }
}
