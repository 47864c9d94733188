/*
 * Skew and shifts of a wavefront (wave.c): the least skew for which every dependence between two
 * executions goes to a position that is no smaller, with shifts from a system of differences.
 */
#include "scheduler/strategy/wavefront/wave.h"

enum { MOST_SKEW = 8, MOST_PARTS = 24 };

/* ---- positions ------------------------------------------------------------------------------- */

static bool position_add(struct conflict *c, struct linear_form *form, int side,
                         const struct plan_wave *wave, const struct access *access, int sign) {
    const struct wave_part *p = &wave->parts[wave_part_of(wave, access)];
    int along = sign * (int)wave->direction;
    form->constant += sign * p->shift;
    if (!linear_form_add(c->arena, form, c->iteration[side], sign * wave->skew))
        return false;
    if (p->kind == WAVE_STATEMENT) {
        const struct affine *end = p->at_end ? &p->loop->upper : &p->loop->lower;
        return conflict_affine_add(c, form, side, end, along);
    }
    int variable = conflict_var(c, side, p->loop->symbol);
    conflict_bounds_add(c, side, access);
    return linear_form_add(c->arena, form, variable, along);
}

bool wave_distance(struct conflict *c, const struct plan_wave *wave, const struct access *a,
                   const struct access *b, struct linear_form *form) {
    *form = (struct linear_form){0};
    return position_add(c, form, 1, wave, b, 1) && position_add(c, form, 0, wave, a, -1);
}

/* ---- the least distances --------------------------------------------------------------------- */

/* `least[u][v]`: of an execution in part v from one in part u that it depends on, `has` when there
 * is one at all. `source`, `sink`: a pair for which there is no least. */
struct order {
    const struct loop_facts *facts;
    struct plan_wave *wave;
    struct linear_solver *solver;
    bool has[MOST_PARTS][MOST_PARTS];
    long least[MOST_PARTS][MOST_PARTS];
    const struct access *source, *sink;
};

static bool take_least(struct order *order, const struct access *a, const struct access *b,
                       struct conflict *c) {
    int u = wave_part_of(order->wave, a), v = wave_part_of(order->wave, b);
    struct linear_form form;
    struct linear_range range;
    if (!wave_distance(c, order->wave, a, b, &form))
        return false;
    switch (linear_solve(order->solver, &c->system, 1, &form, &range)) {
    case LINEAR_EMPTY:
        return true;
    case LINEAR_LIMIT:
        return false;
    case LINEAR_POINTS:
        break;
    }
    if (!range.has_min)
        return false;
    if (!order->has[u][v] || range.min < order->least[u][v])
        order->least[u][v] = range.min;
    order->has[u][v] = true;
    return true;
}

/* a before b: in an earlier iteration, or in an earlier part of the same one. */
static bool pair_least(struct order *order, const struct access *a, const struct access *b) {
    struct arena *arena = order->facts->unit->arena;
    int u = wave_part_of(order->wave, a), v = wave_part_of(order->wave, b);
    if (u < 0 || v < 0)
        return false;
    if (order->wave->parts[u].kind == WAVE_DECLARATION ||
        order->wave->parts[v].kind == WAVE_DECLARATION) {
        return true;
    }
    struct conflict c;
    conflict_build(arena, order->facts, a, b, &c);
    conflict_order(&c, true);
    bool good = take_least(order, a, b, &c);
    if (good && u < v) {
        conflict_build(arena, order->facts, a, b, &c);
        conflict_same_iteration(&c);
        good = take_least(order, a, b, &c);
    }
    return good;
}

static bool counts(const struct order *order, const struct access *a, const struct access *b) {
    return a->object == b->object && (a->write || b->write) && access_bytes_meet(a, b) &&
           !depend_is_private(order->facts, a->object) &&
           !depend_is_reduction(order->facts, a->object);
}

static bool all_least(struct order *order) {
    const struct loop_facts *facts = order->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            if (counts(order, a, b) && !pair_least(order, a, b)) {
                order->source = a;
                order->sink = b;
                return false;
            }
        }
    }
    return true;
}

/* ---- shifts: shift[v] >= shift[u] - least[u][v] ---------------------------------------------- */

static bool relax(struct order *order) {
    struct wave_part *parts = order->wave->parts;
    bool changed = false;
    for (int u = 0; u < order->wave->nparts; ++u) {
        for (int v = 0; v < order->wave->nparts; ++v) {
            long wanted = parts[u].shift - order->least[u][v];
            if (order->has[u][v] && parts[v].shift < wanted) {
                parts[v].shift = wanted;
                changed = true;
            }
        }
    }
    return changed;
}

static bool shifts_found(struct order *order) {
    int nparts = order->wave->nparts;
    bool changed = true;
    for (int round = 0; round <= nparts && changed; ++round)
        changed = relax(order);
    return !changed;
}

static bool skew_fits(struct order *order, long skew) {
    order->wave->skew = skew;
    for (int u = 0; u < order->wave->nparts; ++u) {
        order->wave->parts[u].shift = 0;
        for (int v = 0; v < order->wave->nparts; ++v)
            order->has[u][v] = false;
    }
    return all_least(order) && shifts_found(order);
}

/* ---- what a loop inside carries -------------------------------------------------------------- */

static bool carried(struct order *order, const struct access *a, const struct access *b) {
    const struct type *element = a->object->element;
    int u = wave_part_of(order->wave, a);
    if (!a->write || b->write || !counts(order, a, b) || !element || element->kind != TYPE_FLOAT ||
        u < 0 || u != wave_part_of(order->wave, b) || order->wave->parts[u].kind != WAVE_LOOP) {
        return false;
    }
    struct conflict c;
    struct linear_form form;
    conflict_build(order->facts->unit->arena, order->facts, a, b, &c);
    conflict_same_iteration(&c);
    if (!wave_distance(&c, order->wave, a, b, &form))
        return false;
    form.constant -= 1;
    linear_system_add(c.arena, &c.system, false, form);
    return linear_solve(order->solver, &c.system, 0, NULL, NULL) == LINEAR_POINTS;
}

static bool carries(struct order *order) {
    const struct loop_facts *facts = order->facts;
    bool found = false;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int j = 0; j < facts->naccesses && !found; ++j)
            found = carried(order, &facts->accesses[i], &facts->accesses[j]);
    return found;
}

bool wave_shift(const struct loop_facts *facts, struct plan_wave *wave,
                const struct access **source, const struct access **sink) {
    struct order order = {.facts = facts, .wave = wave};
    if (wave->nparts > MOST_PARTS)
        return false;
    order.solver = linear_solver_new(DEPEND_OPERATIONS, 2 * DEPEND_QUESTIONS);
    bool good = false;
    for (long skew = 0; skew <= MOST_SKEW && !good; ++skew)
        good = skew_fits(&order, skew);
    wave->carries = good && carries(&order);
    linear_solver_free(order.solver);
    *source = order.source;
    *sink = order.sink;
    return good;
}
