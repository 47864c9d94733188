/*
 * Loops whose variables are more than (type)(lower + index * step): pointers, several variables,
 * steps that are no constants, variables that the body itself moves. At the start of an iteration
 * each is set to what it would be: entry + index * by.
 */
#include "scheduler/outline/collect.h"

const char *emit_by_name(const struct outline *job, const struct induction *induction) {
    return arena_printf(job->arena, "orrery_by_%s", induction->var->name);
}

/* A loop without iterations evaluates nothing. */
static const char *by_text(struct outline *job, const struct expr *by) {
    const char *asked = by->kind == EXPR_INT           ? ""
                        : emit_readiness_is_early(job) ? "!orrery_ready ? 0 : "
                                                       : "orrery_count <= 0 ? 0 : ";
    return arena_printf(job->arena, "%s(long)(%s)", asked, expr_print(job->arena, by));
}

/* A field per amount; those of where the variables begin are captures. */
void emit_moving_collect(struct outline *job) {
    for (int i = 0; i < job->facts->ninductions; ++i) {
        const struct induction *induction = &job->facts->inductions[i];
        const char *name = emit_by_name(job, induction);
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

/* `i = 0, j = n`, `i = j = 0`: says the same the second time. */
static bool repeats(const struct expr *part, const struct expr *init) {
    if (part->kind == EXPR_COMMA)
        return repeats(part->args[0], init) && repeats(part->args[1], init);
    if (part->kind != EXPR_ASSIGN || part->op != OP_NONE || part->args[0]->kind != EXPR_VAR)
        return false;
    const struct expr *value = part->args[1];
    return value->kind == EXPR_ASSIGN ? repeats(value, init)
                                      : !expr_has_effect(value) && !reads_assigned(value, init);
}

bool emit_moving_check(struct outline *job) {
    const struct stmt *init = job->loop->init;
    bool safe = true;
    if (!emit_falls_back(job) || !emit_is_moving(job) || !init)
        return true;
    for (int i = 0; init->kind == STMT_DECL && i < init->nvars; ++i)
        safe &= !init->vars[i]->init || !expr_has_effect(init->vars[i]->init);
    if (init->kind == STMT_EXPR)
        safe = repeats(init->expr, init->expr);
    return safe || emit_refuse(job, ORR2318, job->loop->header,
                               "the loop stays serial: its header's initial part would run twice "
                               "when the run falls back to the serial loop");
}
