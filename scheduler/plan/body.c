/* What strategies that take a loop's body apart ask about its statements and accesses. */
#include "scheduler/plan/parts.h"

/* Leaves or restarts the loop that `stmt` is the body of, or a part of it. */
static bool jumps(const struct stmt *stmt, bool inside) {
    if (!stmt)
        return false;
    switch (stmt->kind) {
    case STMT_BREAK:
        return !inside;
    case STMT_GOTO:
    case STMT_LABEL:
    case STMT_RETURN:
    case STMT_UNKNOWN:
        return true;
    default:
        break;
    }
    bool deeper = inside || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE ||
                  stmt->kind == STMT_DO || stmt->kind == STMT_SWITCH;
    bool found = jumps(stmt->then, deeper) || jumps(stmt->other, deeper);
    for (int i = 0; i < stmt->nbody; ++i)
        found = found || jumps(stmt->body[i], deeper);
    return found || (stmt->kind == STMT_FOR && stmt->loop && jumps(stmt->loop->body, true));
}

bool plan_continues(const struct stmt *stmt) {
    bool found = stmt && stmt->kind == STMT_CONTINUE;
    if (!stmt || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_DO)
        return false;
    found = found || plan_continues(stmt->then) || plan_continues(stmt->other);
    for (int i = 0; i < stmt->nbody; ++i)
        found = found || plan_continues(stmt->body[i]);
    return found;
}

bool plan_jumps(const struct stmt *body) {
    return jumps(body, false);
}

bool plan_leaves(const struct stmt *stmt) {
    return jumps(stmt, false) || plan_continues(stmt);
}

bool plan_is_private(const struct loop_facts *facts, const struct variable *var) {
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].var == var)
            return true;
    return false;
}

bool plan_is_made_in(const struct access *access, const struct range *range) {
    return range_holds_start(range, access->via ? &access->via->range : &access->range);
}

bool plan_is_written(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object == object && facts->accesses[i].write)
            return true;
    return object->written;
}
