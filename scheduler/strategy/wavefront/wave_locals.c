/*
 * Locals under a wavefront (wave.c). A block runs a piece of each part, so a value may reach an
 * execution only through memory, which the proof looks at, or from a declaration of the body that
 * can be evaluated any number of times.
 */
#include "scheduler/strategy/wavefront/wave.h"

/* ---- is a variable set before it is used? ---------------------------------------------------- */

/*
 * NONE: not mentioned. SET: on every way through. SAFE: perhaps set, and nowhere used before. USED:
 * perhaps with a value from elsewhere.
 */
enum fate { FATE_NONE, FATE_SET, FATE_SAFE, FATE_USED };

static bool type_mentions(const struct type *type, const struct variable *var) {
    for (; type; type = type->element)
        if (type->kind == TYPE_VLA && expr_names(type->vla_count, var))
            return true;
    return false;
}

static enum fate fate_of_expr(const struct expr *expr, const struct variable *var) {
    bool sets = expr && expr->kind == EXPR_ASSIGN && expr->op == OP_NONE &&
                expr->args[0]->kind == EXPR_VAR && expr->args[0]->var == var &&
                !expr_names(expr->args[1], var);
    return sets ? FATE_SET : expr_names(expr, var) ? FATE_USED : FATE_NONE;
}

static enum fate then(enum fate first, enum fate second) {
    if (first == FATE_SET || first == FATE_USED || second == FATE_NONE)
        return first;
    return second;
}

/* One of two, and nobody knows which. */
static enum fate either(enum fate a, enum fate b) {
    if (a == FATE_USED || b == FATE_USED)
        return FATE_USED;
    return a == b ? a : FATE_SAFE;
}

static enum fate fate_of(const struct stmt *stmt, const struct variable *var);

static enum fate fate_of_for(const struct loop *loop, const struct variable *var) {
    enum fate fate = fate_of(loop->init, var);
    enum fate body = then(fate_of_expr(loop->cond, var), fate_of(loop->body, var));
    if (expr_names(loop->next, var))
        body = body == FATE_SET && !plan_continues(loop->body) ? FATE_SAFE : FATE_USED;
    return then(fate, either(body, FATE_NONE));
}

static enum fate fate_of(const struct stmt *stmt, const struct variable *var) {
    enum fate fate = FATE_NONE;
    if (!stmt)
        return fate;
    switch (stmt->kind) {
    case STMT_BLOCK:
        for (int i = 0; i < stmt->nbody; ++i)
            fate = then(fate, fate_of(stmt->body[i], var));
        return fate;
    case STMT_DECL:
        fate = expr_names(stmt->expr, var) ? FATE_USED : FATE_NONE;
        for (int i = 0; i < stmt->nvars; ++i) {
            bool used =
                expr_names(stmt->vars[i]->init, var) || type_mentions(stmt->vars[i]->type, var);
            fate = then(fate, used ? FATE_USED : FATE_NONE);
        }
        return fate;
    case STMT_EXPR:
        return fate_of_expr(stmt->expr, var);
    case STMT_IF:
        return then(fate_of_expr(stmt->expr, var),
                    either(fate_of(stmt->then, var), fate_of(stmt->other, var)));
    case STMT_FOR:
        return stmt->loop ? fate_of_for(stmt->loop, var) : FATE_USED;
    default:
        return stmt_names(stmt, var) ? FATE_USED : FATE_NONE;
    }
}

/* Of one iteration of a loop whose iterations run apart from each other. */
static enum fate fate_of_cut(const struct loop *loop, const struct variable *var) {
    bool header = fate_of(loop->init, var) != FATE_NONE || expr_names(loop->cond, var) ||
                  expr_names(loop->next, var);
    return header ? FATE_USED : fate_of(loop->body, var);
}

/* No part takes a value of `var` from another,
 * no iteration of a loop inside from the one before. */
static bool stays(const struct plan_wave *wave, const struct variable *var,
                  struct strategy_miss *miss, struct arena *arena) {
    for (int i = 0; i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        enum fate fate = fate_of(part->stmt, var);
        bool own = part->kind == WAVE_LOOP && part->loop->loop->variable == var;
        if (part->kind == WAVE_LOOP && !own)
            fate = fate_of_cut(part->loop->loop, var);
        if (fate == FATE_USED) {
            return plan_missed(
                miss, ORR2401, part->stmt->range,
                arena_printf(arena,
                             "%s takes a value from one part of an iteration to another, "
                             "and a wavefront runs the parts at different times",
                             var->name),
                arena_printf(arena,
                             "declare %s in the innermost loop that uses it, or keep one "
                             "value per iteration in an array",
                             var->name));
        }
    }
    return true;
}

/* ---- declarations of the body ---------------------------------------------------------------- */

static bool is_plain_type(const struct type *type) {
    return !type->is_volatile && !type->is_atomic &&
           (type->kind == TYPE_INT || type->kind == TYPE_BOOL || type->kind == TYPE_FLOAT ||
            type->kind == TYPE_POINTER);
}

static bool is_declared_in(const struct plan_wave *wave, const struct variable *var) {
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_DECLARATION && stmt_declares(wave->parts[i].stmt, var))
            return true;
    return false;
}

struct repeated {
    const struct loop_facts *facts;
    const struct plan_wave *wave;
};

/* Evaluated again it may have another value: it changes something, or names a local that changes. */
static bool is_once(const void *data, const struct expr *expr) {
    const struct repeated *r = data;
    switch (expr->kind) {
    case EXPR_ASSIGN:
    case EXPR_INCREMENT:
    case EXPR_UNKNOWN:
    case EXPR_COMPOUND:
    case EXPR_INIT:
        return true;
    case EXPR_CALL:
        return !expr->function || !(expr->function->is_const || expr->function->is_pure);
    case EXPR_VAR:
        return plan_is_private(r->facts, expr->var) ||
               (is_declared_in(r->wave, expr->var) && expr->var->writes > 0);
    default:
        return false;
    }
}

static bool reads_what_changes(const struct loop_facts *facts, const struct plan_wave *wave,
                               int part) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (plan_part_of(wave, a) == part && plan_is_written(facts, a->object))
            return true;
    }
    return false;
}

static bool declaration_stays(const struct loop_facts *facts, const struct plan_wave *wave,
                              int part, struct strategy_miss *miss) {
    const struct stmt *stmt = wave->parts[part].stmt;
    const struct repeated repeated = {facts, wave};
    struct arena *arena = facts->unit->arena;
    for (int i = 0; i < stmt->nvars; ++i) {
        const struct variable *var = stmt->vars[i];
        bool good = is_plain_type(var->type) && var->storage == STORAGE_LOCAL &&
                    !var->address_taken && !expr_any(var->init, is_once, &repeated);
        if (!good || reads_what_changes(facts, wave, part)) {
            return plan_missed(
                miss, ORR2401, stmt->range,
                arena_printf(arena,
                             "%s takes a value from one part of an iteration to another, "
                             "and a wavefront runs the parts at different times",
                             var->name),
                "declare it in the innermost loop that uses it, or keep one value per "
                "iteration in an array");
        }
        if (var->writes > 0 && !stays(wave, var, miss, arena))
            return false;
    }
    return true;
}

bool wave_locals_stay(const struct loop_facts *facts, const struct plan_wave *wave,
                      struct strategy_miss *miss) {
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_DECLARATION && !declaration_stays(facts, wave, i, miss))
            return false;
    for (int i = 0; i < facts->nprivates; ++i) {
        const struct variable *var = facts->privates[i].var;
        if (var->address_taken)
            return plan_missed(miss, NULL, facts->loop->header, NULL, NULL);
        if (!stays(wave, var, miss, facts->unit->arena))
            return false;
    }
    return true;
}
