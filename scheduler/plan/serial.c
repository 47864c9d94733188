/* Plans of loops that stay serial, and what makes them so before any dependence is looked at. */
#include "scheduler/plan/parts.h"

#include <string.h>

void plan_make_serial(struct plan *plan, const char *code, struct range where, const char *message,
                      const char *fix) {
    plan->strategy = STRATEGY_SERIAL;
    plan->space = plan->partner = -1;
    plan->ntimes = 0;
    memset(plan->grid, 0, sizeof plan->grid);
    plan->by_key = false;
    plan->narrays = 0;
    plan->arrays = NULL;
    plan->ntouches = 0;
    plan->wave = NULL;
    plan->pipe = NULL;
    plan->bytes_moved = plan->bytes_per_rank = NULL;
    plan->code = code;
    plan->where = where;
    plan->message = message;
    plan->fix = fix;
}

bool plan_missed(struct strategy_miss *miss, const char *code, struct range where,
                 const char *message, const char *fix) {
    *miss = (struct strategy_miss){code, where, message, fix, false};
    return false;
}

enum obstacle_rank plan_obstacle_rank(const char *code) {
    static const char *const edits[] = {ORR2201, ORR2210, ORR2231, ORR2313};
    static const char *const clauses[] = {ORR2102, ORR2103, ORR2111, ORR2112, ORR2113, ORR2204};
    if (message_is_one_of(code, (int)(sizeof edits / sizeof *edits), edits))
        return OBSTACLE_EDIT;
    if (message_is_one_of(code, (int)(sizeof clauses / sizeof *clauses), clauses))
        return OBSTACLE_CLAUSE;
    return OBSTACLE_REWRITE;
}

/* ---- before dependences ---------------------------------------------------------------------- */

static const struct clause *clause_of(const struct loop *loop, enum clause_kind kind) {
    for (int i = 0; loop->pragma && i < loop->pragma->nclauses; ++i)
        if (loop->pragma->clauses[i].kind == kind)
            return &loop->pragma->clauses[i];
    return NULL;
}

void plan_target(struct plan *plan, bool gpu) {
    const struct loop *loop = plan->analysis->loop;
    const struct clause *target = clause_of(loop, CLAUSE_TARGET);
    plan->gpu = target && target->nnames > 0 ? strcmp(target->names[0], "gpu") == 0
                                             : loop_is_marked(loop) && gpu;
}

struct before_jump {
    const struct range *print, *jump;
};

/* A branch that ends with the jump, the print in front of it. */
static bool ends_with_jump(const struct before_jump *of, const struct stmt *branch) {
    if (!branch || branch->kind != STMT_BLOCK || branch->nbody < 2)
        return false;
    const struct range *last = &branch->body[branch->nbody - 1]->range;
    return range_holds_start(last, of->jump) && range_holds(&branch->range, of->print) &&
           !range_holds(last, of->print);
}

static bool has_branch(const void *data, const struct stmt *s) {
    return s->kind == STMT_IF && (ends_with_jump(data, s->then) || ends_with_jump(data, s->other));
}

bool plan_is_printed_last(const struct loop_facts *facts, const struct refusal *refusal) {
    static const char *const jumps[] = {ORR2220, ORR2221, ORR2222};
    for (int i = 0; refusal->code == ORR2211 && i < facts->nrefusals; ++i) {
        const struct before_jump of = {&refusal->range, &facts->refusals[i].range};
        if (message_is_one_of(facts->refusals[i].code, 3, jumps) &&
            stmt_any(facts->loop->body, has_branch, &of))
            return true;
    }
    return false;
}

/* The first of those that take most to lift. */
static const struct refusal *foremost(const struct loop_facts *facts) {
    const struct refusal *first = &facts->refusals[0];
    for (int i = 1; i < facts->nrefusals; ++i)
        if (plan_is_printed_last(facts, first) ||
            plan_obstacle_rank(facts->refusals[i].code) < plan_obstacle_rank(first->code))
            first = &facts->refusals[i];
    return first;
}

bool plan_refused_early(struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    const struct loop *loop = plan->analysis->loop;
    if (loop->pragma && loop->pragma->kind == PRAGMA_SERIAL) {
        plan_make_serial(plan, ORR2100, loop->pragma->range, "kept serial by its pragma", NULL);
        return true;
    }
    if (facts->nrefusals > 0) {
        const struct refusal *first = foremost(facts);
        plan_make_serial(plan, first->code, first->range, first->message, first->fix);
        return true;
    }
    if (!loop->canonical || facts->ninner == 0 || facts->inner[0].step == 0) {
        plan_make_serial(plan, ORR2223, loop->header,
                         arena_printf(plan_arena(plan), "the loop's header is not canonical: %s",
                                      loop->why_not ? loop->why_not : "its steps are not known"),
                         "write it as for (i = first; i < last; i += step)");
        return true;
    }
    return false;
}
