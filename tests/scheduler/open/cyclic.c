/*
 * A strategy that the product does not have: iterations that conflict are multiples of some number
 * apart, so that those with the same remainder stay together. It shows that one file and one row
 * are all that a strategy needs (test_open.c).
 */
#include "scheduler/strategy/strategy.h"

#include <stdlib.h>

enum { MOST = 64 };

static long gcd(long a, long b) {
    return b == 0 ? labs(a) : gcd(b, a % b);
}

/* What all distances of kept dependences are multiples of; 0: one of them is not known. */
static long common(const struct analysis *analysis, int variable) {
    long all = 0;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct entry *entry = &analysis->deps[i].vector[variable];
        if (!dep_holds(&analysis->deps[i]))
            continue;
        if (entry->kind != ENTRY_NUMBER)
            return 0;
        all = gcd(all, entry->number);
    }
    return all;
}

static bool propose(struct plan *plan, struct strategy_miss *miss) {
    (void)miss;
    plan->space = plan_variable_dim(plan->analysis);
    plan->grid[0] = plan->space < 0 ? 0 : common(plan->analysis, plan->space);
    return plan->grid[0] > 1 && plan->grid[0] <= MOST &&
           !plan_ordered_last_value(plan->analysis, false);
}

static const char *form(const struct plan *plan) {
    return plan->grid[0] > 1 ? NULL : "there is nothing to divide by";
}

/* iteration' - iteration = rows * times + rest, with a rest from 1 to rows - 1. */
static enum linear_answer prove(struct check *check, const struct access *a,
                                const struct access *b) {
    long rows = check->plan->grid[0];
    struct conflict c;
    conflict_build(check->arena, check->facts, a, b, &c);
    int times = c.system.nvars++, rest = c.system.nvars++;
    struct linear_form apart = {0}, least = {.constant = -1}, most = {.constant = rows - 1};
    linear_form_add(c.arena, &apart, c.iteration[1], 1);
    linear_form_add(c.arena, &apart, c.iteration[0], -1);
    linear_form_add(c.arena, &apart, times, -rows);
    linear_form_add(c.arena, &apart, rest, -1);
    linear_form_add(c.arena, &least, rest, 1);
    linear_form_add(c.arena, &most, rest, -1);
    linear_system_add(c.arena, &c.system, true, apart);
    linear_system_add(c.arena, &c.system, false, least);
    linear_system_add(c.arena, &c.system, false, most);
    return linear_solve(check->solver, &c.system, 0, NULL, NULL);
}

static void explain(struct plan *plan) {
    plan->code = ORR1101;
    plan->message = arena_printf(
        plan_arena(plan), "parallel by remainders of %ld: iterations that conflict have the same",
        plan->grid[0]);
}

const struct strategy_ops strategy_cyclic = {
    .space = SPACE_VARIABLE,
    .turn = TURN_UNLESS,
    .propose = propose,
    .form = form,
    .prove = prove,
    .together = "iterations with other remainders run together",
    .explain = explain,
};
