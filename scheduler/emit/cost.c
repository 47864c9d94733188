/* What one iteration costs, roughly:
 * whether an unmarked loop is worth starting is decided by it. */
#include "scheduler/cost/count.h"
#include "scheduler/emit/print.h"

#include <string.h>

/* ---- loops whose length is known when the loop starts */

static bool is_captured(const struct outline *job, const struct variable *var) {
    for (int i = 0; i < job->facts->ncaptures; ++i)
        if (job->facts->captures[i].var == var && !job->facts->captures[i].object)
            return true;
    return false;
}

/* A number made of constants and of values that the loop is handed anyway. */
static bool is_known(const struct outline *job, const struct expr *expr) {
    if (!expr || (expr->type->kind != TYPE_INT && expr->type->kind != TYPE_BOOL))
        return false;
    if (expr->kind == EXPR_VAR)
        return is_captured(job, expr->var) && emit_is_outside(job, expr->var);
    bool sum = expr->kind == EXPR_BINARY &&
               (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL);
    return expr->kind == EXPR_INT ||
           (sum && is_known(job, expr->args[0]) && is_known(job, expr->args[1]));
}

static const char *known_trips(const struct outline *job, const struct loop *loop) {
    if (!loop->canonical || !is_known(job, loop->lower) || !is_known(job, loop->upper))
        return NULL;
    const char *first = expr_print(job->arena, loop->step > 0 ? loop->lower : loop->upper);
    const char *last = expr_print(job->arena, loop->step > 0 ? loop->upper : loop->lower);
    long step = loop->step > 0 ? loop->step : -loop->step;
    return arena_printf(job->arena, "((double)(%s) - (double)(%s)) / %ld", last, first, step);
}

static const char *text_of(const struct outline *job, struct stmt *stmt);

static const char *loop_text(const struct outline *job, const struct loop *loop) {
    const char *trips = known_trips(job, loop);
    if (!trips)
        trips = arena_printf(job->arena, "%ld", (long)cost_count_trips(loop, EMIT_UNKNOWN_TRIPS));
    return arena_printf(job->arena, "%s * (%.1f + %s)", trips, COST_OPERATION,
                        text_of(job, loop->body));
}

static const char *sum_text(const struct outline *job, const char *a, const char *b) {
    if (strcmp(b, "0.0") == 0)
        return a;
    return strcmp(a, "0.0") == 0 ? b : arena_printf(job->arena, "%s + %s", a, b);
}

/* Only `for` loops are looked into for their length; the rest is a number. */
static const char *text_of(const struct outline *job, struct stmt *stmt) {
    if (!stmt)
        return "0.0";
    if (stmt->kind == STMT_FOR && stmt->loop)
        return loop_text(job, stmt->loop);
    if (stmt->kind == STMT_WHILE || stmt->kind == STMT_DO)
        return arena_printf(job->arena, "%.1f", cost_count(stmt, EMIT_UNKNOWN_TRIPS));
    const char *text = arena_printf(job->arena, "%.1f", cost_count_own(stmt, EMIT_UNKNOWN_TRIPS));
    text = sum_text(job, text, text_of(job, stmt->then));
    text = sum_text(job, text, text_of(job, stmt->other));
    for (int i = 0; i < stmt->nbody; ++i)
        text = sum_text(job, text, text_of(job, stmt->body[i]));
    return text;
}

const char *emit_cost_text(const struct outline *job) {
    return text_of(job, job->loop->body);
}
