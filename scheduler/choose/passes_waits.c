/* Statements between passes that have to wait for them. */
#include "scheduler/choose/passes_look.h"

/* It gives a variable that the loop folds into a value, which somebody may look at. */
static struct passes_unsafe restart_of(const struct passes_look *look, const struct stmt *stmt) {
    for (int i = 0; stmt->kind == STMT_DECL && i < stmt->nvars; ++i) {
        if (stmt->vars[i]->init && passes_is_folded(look->plan, stmt->vars[i])) {
            return (struct passes_unsafe){
                arena_printf(plan_arena(look->plan), "`%s` begins anew, which the loop folds into",
                             stmt->vars[i]->name),
                stmt->vars[i]->range};
        }
    }
    return (struct passes_unsafe){.why = NULL};
}

/* What a statement between two passes does to them. */
static struct passes_unsafe unsafe_of(const struct passes_look *look, const struct stmt *stmt) {
    const struct stmt *body = look->inner->body;
    for (int i = look->begin; i < look->at; ++i)
        if (body->body[i] == stmt)
            return (struct passes_unsafe){.why = NULL};
    struct passes_unsafe unsafe = restart_of(look, stmt);
    return unsafe.why ? unsafe : passes_unsafe_stmt(look->plan, stmt, look->loop->stmt);
}

static bool wait_add(struct passes_look *look, const struct stmt *stmt, struct passes_unsafe unsafe,
                     bool always, bool in_block) {
    struct plan_passes *passes = look->passes;
    bool declares = stmt->kind == STMT_DECL;
    const char *no_edit = passes_no_edit(look, stmt);
    if (no_edit || (declares && !in_block))
        return passes_stands(look, stmt->range, no_edit ? no_edit : unsafe.why, NULL);
    if (always) {
        return passes_stands(look, unsafe.where, unsafe.why,
                             "do it every few passes only, or after the last one");
    }
    struct plan_wait wait = {stmt, false};
    ARENA_PUSH(plan_arena(look->plan), passes->waits, passes->nwaits, wait);
    return true;
}

static bool waits_collect(struct passes_look *look, const struct stmt *stmt, bool always,
                          bool in_block);

static bool waits_in_block(struct passes_look *look, const struct stmt *block, bool always) {
    for (int i = 0; i < block->nbody; ++i) {
        if (!waits_collect(look, block->body[i], always, true))
            return false;
        always = always && !plan_continues(block->body[i]);
    }
    return true;
}

static bool waits_in_loop(struct passes_look *look, const struct stmt *stmt) {
    struct passes_unsafe unsafe = {.why = NULL};
    if (stmt->kind == STMT_FOR && stmt->loop->init)
        unsafe = unsafe_of(look, stmt->loop->init);
    return unsafe.why ? passes_stands(look, unsafe.where, unsafe.why, NULL)
                      : waits_collect(look, stmt->loop->body, stmt == look->inner->stmt, false);
}

/* Statements that harm are made to wait, as small ones as are no loops. `always`: the statement
 * runs in every round of the innermost loop around. */
static bool waits_collect(struct passes_look *look, const struct stmt *stmt, bool always,
                          bool in_block) {
    const struct stmt *marked = look->loop->stmt;
    struct passes_unsafe unsafe = unsafe_of(look, stmt);
    bool holds = range_holds(&stmt->range, &marked->range);
    if (stmt == marked || (!unsafe.why && !(holds && look->at >= 0)))
        return true;
    if (stmt->kind == STMT_BLOCK)
        return waits_in_block(look, stmt, always);
    if (stmt->kind == STMT_IF && !passes_unsafe_expr(look->plan, stmt->expr).why) {
        return waits_collect(look, stmt->then, false, false) &&
               (!stmt->other || waits_collect(look, stmt->other, false, false));
    }
    if (holds && stmt->loop)
        return waits_in_loop(look, stmt);
    if (holds)
        return passes_stands(look, unsafe.where, unsafe.why, NULL);
    return !unsafe.why || wait_add(look, stmt, unsafe, always, in_block);
}

struct jumps {
    const struct range *except;
    const struct stmt *found;
};

static void find_jumps(void *data, struct stmt *stmt) {
    struct jumps *jumps = data;
    bool inside = jumps->except->exact && range_holds(jumps->except, &stmt->range);
    if (!jumps->found && !inside &&
        (stmt->kind == STMT_GOTO || stmt->kind == STMT_LABEL || stmt->kind == STMT_UNKNOWN ||
         stmt->kind == STMT_SWITCH))
        jumps->found = stmt;
}

bool passes_waits_fit(struct passes_look *look) {
    struct jumps jumps = {.except = &look->loop->stmt->range};
    const struct loop *around = look->passes->around;
    stmt_each(around->body, find_jumps, &jumps);
    if (jumps.found)
        return passes_stands(look, jumps.found->range, "the loop around it jumps here", NULL);
    return waits_collect(look, around->body, around == look->inner, false);
}
