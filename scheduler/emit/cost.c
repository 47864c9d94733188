/* What one iteration costs, roughly: whether an unmarked loop is worth starting is decided by it.
 */
#include "scheduler/emit/job.h"

#include <string.h>

/*
 * Nanoseconds of a plain core: an operation or an access; a division; a call of the library; one
 * step of a loop whose length is not known counts as UNKNOWN_TRIPS.
 */
#define COST_OPERATION 0.4
#define COST_DIVISION 3.0
#define COST_LIBRARY 10.0
enum { UNKNOWN_TRIPS = 8, COST_DEPTH = 6 };

struct cost {
    struct emit_job *job;
    double fixed;
    int depth;
};

static double cost_of(struct emit_job *job, struct stmt *stmt, int depth);

static void add_expr(void *data, struct expr *expr, struct expr *parent) {
    struct cost *cost = data;
    (void)parent;
    switch (expr->kind) {
    case EXPR_BINARY:
        cost->fixed += expr->op == OP_DIV || expr->op == OP_REM ? COST_DIVISION : COST_OPERATION;
        return;
    case EXPR_CALL:
        if (!expr->function || !expr->function->body)
            cost->fixed += COST_LIBRARY;
        else if (cost->depth < COST_DEPTH)
            cost->fixed += cost_of(cost->job, expr->function->body, cost->depth + 1);
        return;
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
    case EXPR_MEMBER:
    case EXPR_UNARY:
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
    case EXPR_CONDITIONAL:
        cost->fixed += COST_OPERATION;
        return;
    default:
        return;
    }
}

/* Statements but for the bodies of loops inside. */
static void add_own(struct cost *cost, struct stmt *stmt) {
    emit_walk_expr(stmt->expr, NULL, add_expr, cost);
    for (int i = 0; i < stmt->nvars; ++i)
        emit_walk_expr(stmt->vars[i]->init, NULL, add_expr, cost);
}

static long constant_trips(const struct loop *loop) {
    bool known = loop->canonical && loop->lower && loop->upper && loop->lower->kind == EXPR_INT &&
                 loop->upper->kind == EXPR_INT && loop->step != 0;
    if (!known)
        return UNKNOWN_TRIPS;
    long trips = (long)(loop->upper->int_value - loop->lower->int_value) / loop->step;
    return trips > 0 ? trips : UNKNOWN_TRIPS;
}

static double cost_of(struct emit_job *job, struct stmt *stmt, int depth) {
    struct cost cost = {.job = job, .depth = depth};
    if (!stmt)
        return 0;
    add_own(&cost, stmt);
    double inside = cost_of(job, stmt->then, depth) + cost_of(job, stmt->other, depth);
    for (int i = 0; i < stmt->nbody; ++i)
        inside += cost_of(job, stmt->body[i], depth);
    if (stmt->kind == STMT_WHILE || stmt->kind == STMT_DO)
        return UNKNOWN_TRIPS * (cost.fixed + inside);
    if (stmt->kind == STMT_FOR && stmt->loop)
        return (double)constant_trips(stmt->loop) *
               (COST_OPERATION + cost_of(job, stmt->loop->body, depth));
    return cost.fixed + inside;
}

/* ---- loops whose length is known when the loop starts */

static bool is_captured(const struct emit_job *job, const struct variable *var) {
    for (int i = 0; i < job->facts->ncaptures; ++i)
        if (job->facts->captures[i].var == var && !job->facts->captures[i].object)
            return true;
    return false;
}

/* A number made of constants and of values that the loop is handed anyway. */
static bool is_known(const struct emit_job *job, const struct expr *expr) {
    if (!expr || (expr->type->kind != TYPE_INT && expr->type->kind != TYPE_BOOL))
        return false;
    if (expr->kind == EXPR_VAR)
        return is_captured(job, expr->var) && emit_is_outside(job, expr->var);
    bool sum = expr->kind == EXPR_BINARY &&
               (expr->op == OP_ADD || expr->op == OP_SUB || expr->op == OP_MUL);
    return expr->kind == EXPR_INT ||
           (sum && is_known(job, expr->args[0]) && is_known(job, expr->args[1]));
}

static const char *known_trips(struct emit_job *job, const struct loop *loop) {
    if (!loop->canonical || !is_known(job, loop->lower) || !is_known(job, loop->upper))
        return NULL;
    const char *first = expr_print(job->arena, loop->step > 0 ? loop->lower : loop->upper);
    const char *last = expr_print(job->arena, loop->step > 0 ? loop->upper : loop->lower);
    long step = loop->step > 0 ? loop->step : -loop->step;
    return arena_printf(job->arena, "((double)(%s) - (double)(%s)) / %ld", last, first, step);
}

static const char *text_of(struct emit_job *job, struct stmt *stmt);

static const char *loop_text(struct emit_job *job, const struct loop *loop) {
    const char *trips = known_trips(job, loop);
    if (!trips)
        trips = arena_printf(job->arena, "%ld", constant_trips(loop));
    return arena_printf(job->arena, "%s * (%.1f + %s)", trips, COST_OPERATION,
                        text_of(job, loop->body));
}

static const char *sum_text(struct emit_job *job, const char *a, const char *b) {
    if (strcmp(b, "0.0") == 0)
        return a;
    return strcmp(a, "0.0") == 0 ? b : arena_printf(job->arena, "%s + %s", a, b);
}

/* Only `for` loops are looked into for their length; the rest is a number. */
static const char *text_of(struct emit_job *job, struct stmt *stmt) {
    struct cost cost = {.job = job};
    if (!stmt)
        return "0.0";
    if (stmt->kind == STMT_FOR && stmt->loop)
        return loop_text(job, stmt->loop);
    if (stmt->kind == STMT_WHILE || stmt->kind == STMT_DO)
        return arena_printf(job->arena, "%.1f", cost_of(job, stmt, 0));
    add_own(&cost, stmt);
    const char *text = arena_printf(job->arena, "%.1f", cost.fixed);
    text = sum_text(job, text, text_of(job, stmt->then));
    text = sum_text(job, text, text_of(job, stmt->other));
    for (int i = 0; i < stmt->nbody; ++i)
        text = sum_text(job, text, text_of(job, stmt->body[i]));
    return text;
}

const char *emit_cost_text(struct emit_job *job) {
    return text_of(job, job->loop->body);
}

bool emit_is_automatic(const struct emit_job *job) {
    return !job->loop->pragma || job->loop->pragma->kind != PRAGMA_PARALLEL;
}

bool emit_falls_back(const struct emit_job *job) {
    return job->options->allow_fallback || emit_is_automatic(job);
}
