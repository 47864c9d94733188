/*
 * What a wavefront asks of arrays that ranks have parts of, besides what every loop does
 * (plan/sections.c): the order of positions.
 */
#include "scheduler/strategy/wavefront/wave.h"

/* ---- conditions ------------------------------------------------------------------------------ */

/*
 * A section is all that an access may reach, wherever its conditions hold. What may be written so
 * has to be in order, too: no access to it may come to an earlier position than one in an iteration
 * before.
 */
static bool stays_in_order(const struct plan *plan, const struct access *write) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct access wide = *write;
    struct linear_solver *solver = linear_solver_new(DEPEND_OPERATIONS, 2 * DEPEND_QUESTIONS);
    bool good = true;
    wide.domain = NULL;
    for (int i = 0; good && i < facts->naccesses; ++i) {
        struct access other = facts->accesses[i];
        other.domain = NULL;
        good = other.object != wide.object ||
               plan_check_wave(plan, solver, &wide, &other) == LINEAR_EMPTY;
    }
    linear_solver_free(solver);
    return good;
}

static bool is_conditional(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object == object && facts->accesses[i].domain)
            return true;
    return false;
}

const char *wave_whole(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    const char *why = plan_whole(plan, object);
    bool conditional = is_conditional(facts, object);
    for (int i = 0; !why && conditional && i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        if (access->object == object && access->write && !stays_in_order(plan, access)) {
            why = arena_printf(facts->unit->arena,
                               "the order of the elements of %s that line %d writes hangs on a "
                               "condition",
                               object->name, access->range.begin.line);
        }
    }
    return why;
}

/* ---- reads behind all writes ----------------------------------------------------------------- */

/* May `write` come to what `read` has read:
 * in a later iteration, else behind it in the same one? */
static bool comes_behind(const struct plan *plan, struct linear_solver *solver,
                         const struct access *read, const struct access *write, bool later) {
    const struct loop_facts *facts = plan->analysis->facts;
    int u = plan_part_of(plan->wave, read), v = plan_part_of(plan->wave, write);
    struct conflict c;
    struct linear_form form;
    if (!later && v < u)
        return false;
    conflict_build(facts->unit->arena, facts, read, write, &c);
    if (later)
        conflict_order(&c, true);
    else
        conflict_same_iteration(&c);
    if (!later && u == v) {
        if (!wave_distance(&c, plan->wave, read, write, &form))
            return true;
        linear_system_add(c.arena, &c.system, false, form);
    }
    return linear_solve(solver, &c.system, 0, NULL, NULL) != LINEAR_EMPTY;
}

static bool is_upwards(const struct plan_wave *wave, const struct access *access) {
    const struct wave_part *part = &wave->parts[plan_part_of(wave, access)];
    return part->kind == WAVE_STATEMENT || wave->direction * part->loop->step > 0;
}

bool wave_reads_behind(const struct plan *plan, const struct access *read) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct linear_solver *solver = linear_solver_new(DEPEND_OPERATIONS, DEPEND_QUESTIONS);
    bool behind = plan->wave && !read->write && plan_is_section(plan->wave, facts, read) &&
                  is_upwards(plan->wave, read);
    for (int i = 0; behind && i < facts->naccesses; ++i) {
        const struct access *other = &facts->accesses[i];
        if (other->object == read->object && other->write) {
            behind = plan_is_section(plan->wave, facts, other) &&
                     !comes_behind(plan, solver, read, other, true) &&
                     !comes_behind(plan, solver, read, other, false);
        }
    }
    linear_solver_free(solver);
    return behind;
}
