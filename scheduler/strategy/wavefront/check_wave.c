/*
 * The proof of a wavefront, from what its blocks are: block (s, t) runs what the iterations of
 * range s have at the positions of range t, in the loop's order, behind the blocks (s - 1, t) and
 * (s, t - 1). Two executions of which the later one depends on the earlier are in order when the
 * later one has neither a smaller iteration, which it never has, nor a smaller position. Positions
 * are worked out here once more, from their definition.
 */
#include "scheduler/strategy/wavefront/wave.h"

static bool is_shaped_alike(const struct plan_wave *a, const struct plan_wave *b) {
    bool same = a->nparts == b->nparts && a->direction == b->direction;
    for (int i = 0; same && i < a->nparts; ++i) {
        same = a->parts[i].kind == b->parts[i].kind && a->parts[i].stmt == b->parts[i].stmt &&
               a->parts[i].loop == b->parts[i].loop && a->parts[i].at_end == b->parts[i].at_end;
    }
    return same;
}

const char *plan_check_wave_form(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct strategy_miss miss;
    const struct plan_wave *shape = wave_parts(facts, &miss);
    if (plan_merges(plan->analysis))
        return "parts of an iteration have no copies of relaxed arrays";
    if (!plan->wave || !shape || !is_shaped_alike(plan->wave, shape))
        return "the loop's body has no parts that a wavefront could run apart";
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].last_value || !wave_is_copied(facts, facts->scratches[i].object))
            return "the blocks of a wavefront cut iterations apart, and scratch space belongs to "
                   "one";
    for (int i = 0; i < facts->nprivates; ++i) {
        if (facts->privates[i].last_value) {
            return "a value used after the loop is that of the last iteration in the loop's own "
                   "order";
        }
    }
    for (int i = 0; i < facts->nreductions; ++i) {
        if (facts->reductions[i].argmin)
            return "what is set by some of the iterations depends on the loop's own order";
        if (facts->reductions[i].ties)
            return "of equal numbers, -0.0 and 0.0, the loop's own order decides";
    }
    return NULL;
}

/* The part that the access is made in, NULL: none. */
static const struct wave_part *part_of(const struct plan_wave *wave, const struct access *access) {
    for (int i = 0; i < wave->nparts; ++i)
        if (plan_is_made_in(access, &wave->parts[i].stmt->range))
            return &wave->parts[i];
    return NULL;
}

int plan_check_wave_parts(const struct plan *plan, const struct access *a, const struct access *b) {
    const struct wave_part *all = plan->wave->parts, *u = part_of(plan->wave, a);
    const struct wave_part *v = part_of(plan->wave, b);
    return (u ? (int)(u - all) + 1 : 0) * (plan->wave->nparts + 1) + (v ? (int)(v - all) + 1 : 0);
}

/*
 * Adds the position of an execution (plan.h, struct wave_part) `times` to the form: direction *
 * variable + skew * i + shift, where a statement has the first or last value of the variable.
 * False: it does not fit.
 */
static bool add_position(struct conflict *c, struct linear_form *form, int side,
                         const struct plan_wave *wave, const struct access *access, int times) {
    const struct wave_part *part = part_of(wave, access);
    int direction = times * (int)wave->direction;
    form->constant += times * part->shift;
    if (!linear_form_add(c->arena, form, c->iteration[side], times * wave->skew))
        return false;
    if (part->kind == WAVE_LOOP) {
        int variable = conflict_var(c, side, part->loop->symbol);
        conflict_bounds_add(c, side, access);
        return linear_form_add(c->arena, form, variable, direction);
    }
    return conflict_affine_add(c, form, side,
                               part->at_end ? &part->loop->upper : &part->loop->lower, direction);
}

/* `form` <= -1, as a row that is at least 0. */
static struct linear_form below_zero(const struct linear_form *form) {
    struct linear_form below = *form;
    below.constant = -form->constant - 1;
    for (int i = 0; i < below.nterms; ++i)
        below.terms[i].coeff = -below.terms[i].coeff;
    return below;
}

/* `later`: b's iteration is a later one; else it is the same, and b's part comes behind a's. */
static enum linear_answer goes_back(const struct plan *plan, struct linear_solver *solver,
                                    const struct access *a, const struct access *b, bool later) {
    const struct loop_facts *facts = plan->analysis->facts;
    const struct wave_part *u = part_of(plan->wave, a), *v = part_of(plan->wave, b);
    struct conflict c;
    struct linear_form form = {0};
    if (!u || !v)
        return LINEAR_POINTS;
    if (u->kind == WAVE_DECLARATION || v->kind == WAVE_DECLARATION)
        return a->write || b->write ? LINEAR_POINTS : LINEAR_EMPTY;
    if (!later && u >= v)
        return LINEAR_EMPTY;
    conflict_build(facts->unit->arena, facts, a, b, &c);
    if (later)
        conflict_order(&c, true);
    else
        conflict_same_iteration(&c);
    if (!add_position(&c, &form, 1, plan->wave, b, 1) ||
        !add_position(&c, &form, 0, plan->wave, a, -1)) {
        return LINEAR_LIMIT;
    }
    linear_system_add(c.arena, &c.system, false, below_zero(&form));
    return linear_solve(solver, &c.system, 0, NULL, NULL);
}

enum linear_answer plan_check_wave(const struct plan *plan, struct linear_solver *solver,
                                   const struct access *a, const struct access *b) {
    enum linear_answer answer = LINEAR_EMPTY;
    for (int way = 0; way < 4 && answer == LINEAR_EMPTY; ++way)
        answer = goes_back(plan, solver, way & 1 ? b : a, way & 1 ? a : b, way & 2);
    return answer;
}
