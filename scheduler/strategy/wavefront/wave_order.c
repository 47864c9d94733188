/*
 * Skew and shifts of a wavefront (wave.c): the least skew for which every dependence between two
 * executions goes to a position that is no smaller, with shifts from a system of differences.
 */
#include "scheduler/strategy/wavefront/wave.h"

#include <stdio.h>
#include <string.h>
#include <uthash.h>

enum { MOST_SKEW = 8, MOST_PARTS = 24 };

/* To look whether a pair of accesses was asked about before. */
enum { STEPS_PER_PAIR = 6 };

/* ---- positions ------------------------------------------------------------------------------- */

static bool position_add(struct conflict *c, struct linear_form *form, int side,
                         const struct plan_wave *wave, const struct access *access, int sign) {
    const struct wave_part *p = &wave->parts[plan_part_of(wave, access)];
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

/* A pair whose least distance is in `least` already: what it asks, and of which parts. */
struct asked {
    const char *problem;
    UT_hash_handle hh;
};

/* The least distances between parts that are being found. */
struct order {
    const struct loop_facts *facts;     /* of the loop */
    struct plan_wave *wave;             /* whose skew and shifts are tried */
    struct linear_solver *solver;       /* for all questions */
    const char **shapes;                /* of the accesses */
    int nasking, *asking;               /* the accesses that are compared */
    struct asked *asked;                /* pairs that were */
    bool has[MOST_PARTS][MOST_PARTS];   /* [u][v]: something in part v depends on part u */
    long least[MOST_PARTS][MOST_PARTS]; /* ... by how much at least, where `has` */
    const struct access *source, *sink; /* a pair for which there is no least */
};

static bool take_least(struct order *order, const struct access *a, const struct access *b,
                       struct conflict *c) {
    int u = plan_part_of(order->wave, a), v = plan_part_of(order->wave, b);
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
    int u = plan_part_of(order->wave, a), v = plan_part_of(order->wave, b);
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

/* Was the same asked before, of accesses that no question tells apart (pair_problem)? */
static bool was_asked(struct order *order, int a, int b) {
    enum { PARTS_SIZE = 32 };
    const struct access *all = order->facts->accesses;
    struct arena *arena = order->facts->unit->arena;
    char buffer[PARTS_SIZE + PAIR_PROBLEM_SIZE], problem[PAIR_PROBLEM_SIZE];
    struct asked *old;
    budget_spend(STEPS_PER_PAIR);
    if (!pair_problem(problem, &all[a], order->shapes[a], &all[b], order->shapes[b]))
        return false;
    snprintf(buffer, sizeof buffer, "%d|%d|%s", plan_part_of(order->wave, &all[a]),
             plan_part_of(order->wave, &all[b]), problem);
    HASH_FIND_STR(order->asked, buffer, old);
    if (old)
        return true;
    old = arena_alloc(arena, sizeof *old);
    old->problem = arena_strdup(arena, buffer);
    HASH_ADD_KEYPTR(hh, order->asked, old->problem, strlen(old->problem), old);
    return false;
}

static void forget(void *data) {
    struct order *order = data;
    HASH_CLEAR(hh, order->asked);
}

/* One access stands for all those of its part that no question tells apart. */
static int *representatives(const struct order *order, int *count) {
    const struct loop_facts *facts = order->facts;
    struct arena *arena = facts->unit->arena;
    const int *firsts = access_firsts(facts, order->shapes);
    int *list = NULL;
    for (int i = 0; i < facts->naccesses; ++i)
        if (firsts[i] == i || plan_part_of(order->wave, &facts->accesses[i]) !=
                                  plan_part_of(order->wave, &facts->accesses[firsts[i]]))
            ARENA_PUSH(arena, list, *count, i);
    return list;
}

static bool counts(const struct order *order, const struct access *a, const struct access *b) {
    return a->object == b->object && (a->write || b->write) && access_bytes_meet(a, b) &&
           !depend_is_private(order->facts, a->object) &&
           !depend_is_reduction(order->facts, a->object);
}

static bool all_least(struct order *order) {
    const struct loop_facts *facts = order->facts;
    for (int i = 0; i < order->nasking; ++i) {
        for (int j = 0; j < order->nasking; ++j) {
            int x = order->asking[i], y = order->asking[j];
            const struct access *a = &facts->accesses[x], *b = &facts->accesses[y];
            if (!counts(order, a, b) || was_asked(order, x, y))
                continue;
            const struct arena_mark mark = arena_mark(facts->unit->arena);
            bool good = pair_least(order, a, b);
            arena_rewind(facts->unit->arena, mark);
            if (!good) {
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
    forget(order);
    return all_least(order) && shifts_found(order);
}

/* ---- what a loop inside carries -------------------------------------------------------------- */

static bool carried(struct order *order, int i, int j) {
    const struct access *a = &order->facts->accesses[i], *b = &order->facts->accesses[j];
    const struct type *element = a->object->element;
    int u = plan_part_of(order->wave, a);
    if (!a->write || b->write || !counts(order, a, b) || !element || element->kind != TYPE_FLOAT ||
        u < 0 || u != plan_part_of(order->wave, b) || order->wave->parts[u].kind != WAVE_LOOP ||
        was_asked(order, i, j)) {
        return false;
    }
    struct conflict c;
    struct linear_form form;
    const struct arena_mark mark = arena_mark(order->facts->unit->arena);
    conflict_build(order->facts->unit->arena, order->facts, a, b, &c);
    conflict_same_iteration(&c);
    bool found = wave_distance(&c, order->wave, a, b, &form);
    if (found) {
        form.constant -= 1;
        linear_system_add(c.arena, &c.system, false, form);
        found = linear_solve(order->solver, &c.system, 0, NULL, NULL) == LINEAR_POINTS;
    }
    arena_rewind(order->facts->unit->arena, mark);
    return found;
}

static bool carries(struct order *order) {
    bool found = false;
    forget(order);
    for (int i = 0; i < order->nasking; ++i)
        for (int j = 0; j < order->nasking && !found; ++j)
            found = carried(order, order->asking[i], order->asking[j]);
    return found;
}

bool wave_shift(const struct loop_facts *facts, struct plan_wave *wave,
                const struct access **source, const struct access **sink) {
    struct order order = {.facts = facts, .wave = wave};
    if (wave->nparts > MOST_PARTS)
        return false;
    order.shapes = access_shapes(facts);
    order.asking = representatives(&order, &order.nasking);
    order.solver = linear_solver_new(DEPEND_OPERATIONS, 2 * DEPEND_QUESTIONS);
    budget_remember(forget, &order);
    bool good = false;
    for (long skew = 0; skew <= MOST_SKEW && !good; ++skew)
        good = skew_fits(&order, skew);
    wave->carries = good && carries(&order);
    linear_solver_free(order.solver);
    budget_forget(&order);
    forget(&order);
    *source = order.source;
    *sink = order.sink;
    return good;
}
