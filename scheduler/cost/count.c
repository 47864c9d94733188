#include "scheduler/cost/count.h"

#include <stdlib.h>

/* Nanoseconds of a plain core: a division; a call of the library. */
static const double division = 3, library = 10;

/* Calls in calls in calls are counted so deep. */
enum { DEPTH = 6 };

static double stmt_cost(const struct stmt *stmt, double unknown_trips, int depth);

static double own_cost(const struct expr *expr, double unknown_trips, int depth) {
    switch (expr->kind) {
    case EXPR_BINARY:
        return expr->op == OP_DIV || expr->op == OP_REM ? division : COST_OPERATION;
    case EXPR_CALL:
        if (!expr->function || !expr->function->body)
            return library;
        return depth < DEPTH ? stmt_cost(expr->function->body, unknown_trips, depth + 1) : 0;
    case EXPR_SUBSCRIPT:
    case EXPR_DEREF:
    case EXPR_MEMBER:
    case EXPR_UNARY:
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
    case EXPR_CONDITIONAL:
        return COST_OPERATION;
    default:
        return 0;
    }
}

static double expr_cost(const struct expr *expr, double unknown_trips, int depth) {
    double cost = expr ? own_cost(expr, unknown_trips, depth) : 0;
    for (int i = 0; expr && i < expr->nargs; ++i)
        cost += expr_cost(expr->args[i], unknown_trips, depth);
    return cost;
}

static double expressions(const struct stmt *stmt, double unknown_trips, int depth) {
    double cost = expr_cost(stmt->expr, unknown_trips, depth);
    for (int i = 0; i < stmt->nvars; ++i)
        cost += expr_cost(stmt->vars[i]->init, unknown_trips, depth);
    return cost;
}

/* 31 in `lower + 31` and `lower - 31`. Else -1. */
static long apart(const struct expr *lower, const struct expr *upper) {
    const struct expr *end = expr_without_casts(upper);
    bool fits = end->kind == EXPR_BINARY && (end->op == OP_ADD || end->op == OP_SUB) &&
                end->args[1]->kind == EXPR_INT &&
                expr_equal(expr_without_casts(end->args[0]), expr_without_casts(lower));
    return fits ? (long)end->args[1]->int_value : -1;
}

/* `lower + 31`, also in `n < lower + 31 ? n : lower + 31`, the end of a tile: 31. Else -1. */
static long tile_length(const struct expr *lower, const struct expr *upper) {
    upper = expr_without_casts(upper);
    if (upper->kind == EXPR_VAR && upper->var->init && upper->var->writes == 0)
        upper = expr_without_casts(upper->var->init);
    if (upper->kind != EXPR_CONDITIONAL)
        return apart(lower, upper);
    for (int i = 1; i < upper->nargs; ++i)
        if (upper->args[i] && apart(lower, upper->args[i]) >= 0)
            return apart(lower, upper->args[i]);
    return -1;
}

double cost_count_trips(const struct loop *loop, double unknown_trips) {
    bool known = loop->canonical && loop->lower && loop->upper && loop->lower->kind == EXPR_INT &&
                 loop->upper->kind == EXPR_INT && loop->step != 0;
    double distance =
        known ? (double)loop->upper->int_value - (double)loop->lower->int_value : unknown_trips;
    double trips = known ? distance / (double)loop->step : unknown_trips;
    if (!known && loop->canonical && loop->lower && loop->upper && loop->step != 0) {
        long length = tile_length(loop->lower, loop->upper), step = labs(loop->step);
        bool with_end = loop->relation == OP_LE || loop->relation == OP_GE;
        trips = length > 0 ? (double)(length + with_end) / (double)step : trips;
    }
    return trips >= 1 ? trips : unknown_trips;
}

static double stmt_cost(const struct stmt *stmt, double unknown_trips, int depth) {
    if (!stmt)
        return 0;
    if (stmt->kind == STMT_FOR && stmt->loop) {
        return cost_count_trips(stmt->loop, unknown_trips) *
               (COST_OPERATION + stmt_cost(stmt->loop->body, unknown_trips, depth));
    }
    double cost = expressions(stmt, unknown_trips, depth);
    cost += stmt_cost(stmt->then, unknown_trips, depth);
    cost += stmt_cost(stmt->other, unknown_trips, depth);
    for (int i = 0; i < stmt->nbody; ++i)
        cost += stmt_cost(stmt->body[i], unknown_trips, depth);
    return stmt->kind == STMT_WHILE || stmt->kind == STMT_DO ? unknown_trips * cost : cost;
}

double cost_count(const struct stmt *stmt, double unknown_trips) {
    return stmt_cost(stmt, unknown_trips, 0);
}

double cost_count_own(const struct stmt *stmt, double unknown_trips) {
    return expressions(stmt, unknown_trips, 0);
}
