/*
 * Which elements do iterations conflict through, and can they be listed before an iteration runs?
 */
#include "scheduler/strategy/levels.h"

#include <string.h>

const struct plan_touch *plan_touch_of(const struct plan *plan, const struct object *object) {
    for (int i = 0; i < plan->ntouches; ++i)
        if (plan->touches[i].object == object)
            return &plan->touches[i];
    return NULL;
}

/* ---- loops around a subscript ---------------------------------------------------------------- */

/* `needed[k]`: the values depend on the variable of the access's k-th loop. */
struct needs {
    const struct loop_facts *facts;
    const struct access *access;
    bool *needed;
    bool good;
};

static void need_variable(struct needs *needs, const struct variable *var) {
    const struct loop_facts *facts = needs->facts;
    bool inner = false;
    for (int i = 1; i < facts->ninner; ++i)
        inner = inner || facts->inner[i].loop->variable == var;
    for (int k = needs->access->nloops - 1; inner && k >= 0; --k) {
        if (facts->inner[needs->access->loops[k]].loop->variable == var) {
            needs->needed[k] = true;
            return;
        }
    }
    needs->good = needs->good && !inner;
}

static void need_expr(void *data, struct expr *expr) {
    struct needs *needs = data;
    if (expr->kind == EXPR_VAR && expr->var != needs->facts->loop->variable)
        need_variable(needs, expr->var);
}

static void need_symbol(struct needs *needs, const struct symbol *symbol) {
    if (symbol == needs->facts->index)
        return;
    for (int k = 0; symbol->kind == SYMBOL_LOOP && k < needs->access->nloops; ++k) {
        if (needs->facts->inner[needs->access->loops[k]].symbol == symbol) {
            needs->needed[k] = true;
            return;
        }
    }
    needs->good = needs->good && symbol->expr;
    expr_visit(symbol->expr, need_expr, needs);
    for (int g = 0; g < symbol->nguards; ++g)
        expr_visit(symbol->guards[g], need_expr, needs);
}

static void need_affine(struct needs *needs, const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i)
        need_symbol(needs, affine->terms[i].symbol);
}

static void need_bounds(struct needs *needs, const struct inner_loop *loop) {
    needs->good = needs->good && loop->has_lower && loop->has_upper && loop->step != 0;
    if (needs->good) {
        need_affine(needs, &loop->lower);
        need_affine(needs, &loop->upper);
    }
}

int plan_touch_loops(const struct loop_facts *facts, const struct access *access, int sub,
                     int *loops) {
    bool needed[access->nloops + 1];
    struct needs needs = {facts, access, needed, true};
    int count = 0;
    memset(needed, 0, sizeof needed);
    if (sub >= access->nsubs || !access->subs[sub].known)
        return -1;
    need_affine(&needs, &access->subs[sub].value);
    for (int k = access->nloops - 1; k >= 0; --k)
        if (needed[k] && access->loops[k] != 0)
            need_bounds(&needs, &facts->inner[access->loops[k]]);
    for (int k = 0; needs.good && k < access->nloops; ++k)
        if (needed[k] && access->loops[k] != 0)
            loops[count++] = access->loops[k];
    return needs.good ? count : -1;
}

/* ---- one subscript per object ---------------------------------------------------------------- */

static bool tells_apart(const struct loop_facts *facts, const struct access *access,
                        const struct affine *affine);

/* Rounds of an inner loop tell iterations apart where its bounds do. */
static bool loop_tells(const struct loop_facts *facts, const struct access *access,
                       const struct symbol *symbol) {
    for (int k = 0; k < access->nloops; ++k) {
        const struct inner_loop *loop = &facts->inner[access->loops[k]];
        if (access->loops[k] != 0 && loop->symbol == symbol)
            return tells_apart(facts, access, &loop->lower) ||
                   tells_apart(facts, access, &loop->upper);
    }
    return false;
}

/* May it have other values in other iterations, not only in other rounds of the loops inside? */
static bool tells_apart(const struct loop_facts *facts, const struct access *access,
                        const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *symbol = affine->terms[i].symbol;
        bool inside = symbol->kind == SYMBOL_LOOP && symbol != facts->index;
        if (inside ? loop_tells(facts, access, symbol) : symbol->kind != SYMBOL_PARAM)
            return true;
    }
    return false;
}

/* By a subscript that is the same in all iterations those that touch the element wait for each
 * other. */
enum { COST_OF_ONE_LEVEL = 1000 };

/* Loops needed for the worst of the object's accesses; -1: not to be listed. */
static int cost_of(const struct loop_facts *facts, const struct object *object, int sub) {
    int most = -1;
    bool apart = false;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object != object)
            continue;
        int loops[a->nloops + 1];
        int n = plan_touch_loops(facts, a, sub, loops);
        if (n < 0)
            return -1;
        most = n > most ? n : most;
        apart = apart || tells_apart(facts, a, &a->subs[sub].value);
    }
    return most < 0 || apart ? most : most + COST_OF_ONE_LEVEL;
}

/* Every iteration has to count as one that writes some of it. */
static bool always_written(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object == object && a->write && !a->told)
            return true;
    }
    return false;
}

static bool uses_key(const struct loop_facts *facts, const struct plan_touch *touch) {
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        for (int t = 0; a->object == touch->object && t < a->subs[touch->sub].value.nterms; ++t)
            if (a->subs[touch->sub].value.terms[t].symbol->kind == SYMBOL_KEY)
                return true;
    }
    return false;
}

static const char *touch_add(struct plan *plan, struct object *object, bool *keyed) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct plan_touch touch = {object, -1, false};
    int least = -1;
    bool table = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER ||
                 object->kind == OBJECT_ROWS;
    for (int sub = 0; table && sub < object->ndims; ++sub) {
        int cost = cost_of(facts, object, sub);
        if (cost >= 0 && (least < 0 || cost < least)) {
            least = cost;
            touch.sub = sub;
        }
    }
    if (touch.sub < 0) {
        return arena_printf(facts->unit->arena,
                            "which elements of %s an iteration touches is not known before it runs",
                            object->name);
    }
    if (least >= COST_OF_ONE_LEVEL && always_written(facts, object)) {
        return arena_printf(facts->unit->arena, "every iteration writes the same elements of %s",
                            object->name);
    }
    *keyed = *keyed || uses_key(facts, &touch);
    ARENA_PUSH(facts->unit->arena, plan->touches, plan->ntouches, touch);
    return NULL;
}

/* By the iteration's number, in the same way wherever it is touched; NULL: otherwise, or nowhere. */
static const struct affine *own_row(const struct loop_facts *facts, const struct object *object) {
    const struct affine *row = NULL;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object != object)
            continue;
        const struct affine *value = a->nsubs > 0 && a->subs[0].known ? &a->subs[0].value : NULL;
        if (!value || value->nterms != 1 || value->terms[0].symbol != facts->index ||
            (row &&
             (value->constant != row->constant || value->terms[0].coeff != row->terms[0].coeff)))
            return NULL;
        row = value;
    }
    return row;
}

/* What every iteration changes rows of its own of. */
static void touch_own(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    const struct loop_facts *facts = analysis->facts;
    for (int i = 0; i < analysis->narrays; ++i) {
        struct object *object = analysis->arrays[i].object;
        const struct plan_touch touch = {object, 0, true};
        bool table = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER ||
                     object->kind == OBJECT_ROWS;
        if (table && object->ntables < 2 && !plan_touch_of(plan, object) &&
            plan_is_written(facts, object) && own_row(facts, object))
            ARENA_PUSH(facts->unit->arena, plan->touches, plan->ntouches, touch);
    }
}

const char *plan_levels(struct plan *plan, bool *keyed) {
    const struct analysis *analysis = plan->analysis;
    plan->ntouches = 0;
    plan->touches = NULL;
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (!dep_holds(dep))
            continue;
        if (dep->object != dep->sink->object) {
            return arena_printf(analysis->facts->unit->arena, "%s and %s may overlap",
                                dep->object->name, dep->sink->object->name);
        }
        const char *why =
            plan_touch_of(plan, dep->object) ? NULL : touch_add(plan, dep->object, keyed);
        if (why)
            return why;
    }
    touch_own(plan);
    return NULL;
}

/* ---- how many an iteration touches ------------------------------------------------------------ */

/* A key, or the loop's own number, as the whole subscript. */
static bool is_whole(const struct loop_facts *facts, const struct affine *value) {
    return value->nterms == 1 && value->constant == 0 && value->terms[0].coeff == 1 &&
           (value->terms[0].symbol->kind == SYMBOL_KEY || value->terms[0].symbol == facts->index);
}

static bool touches_few(const struct loop_facts *facts, const struct access *access, int sub) {
    int loops[access->nloops + 1];
    if (sub >= access->nsubs || !access->subs[sub].known ||
        !is_whole(facts, &access->subs[sub].value))
        return false;
    int n = plan_touch_loops(facts, access, sub, loops);
    for (int k = 0; k < n; ++k) {
        const struct inner_loop *loop = &facts->inner[loops[k]];
        if (!affine_is_invariant(&loop->lower) || !affine_is_invariant(&loop->upper))
            return false;
    }
    return n >= 0;
}

bool levels_few(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct plan_touch *touch = plan_touch_of(plan, facts->accesses[i].object);
        if (touch && !touch->own && !touches_few(facts, &facts->accesses[i], touch->sub))
            return false;
    }
    return true;
}

/* ---- the strategy ---------------------------------------------------------------------------- */

/* Seconds per iteration of a level's barrier, and of half the time workers wait for its end. */
static const double level_time = 2e-9;

/* What the inspection costs is not known: only where the user asks for a parallel loop. */
static bool propose(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *analysis = plan->analysis;
    bool keyed = false;
    (void)miss;
    return !analysis->unordered && loop_is_marked(analysis->loop) &&
           !plan_ordered_last_value(analysis, false) && !plan_levels(plan, &keyed) && keyed;
}

struct plan_violation levels_complete(struct plan *plan) {
    bool keyed = false;
    return (struct plan_violation){plan_levels(plan, &keyed), NULL, NULL};
}

/* Two iterations that touch no common element as listed run together, whatever they are. */
enum linear_answer levels_prove(struct check *check, const struct access *a,
                                const struct access *b) {
    const struct plan_touch *touch = plan_touch_of(check->plan, a->object);
    return touch ? check_apart_by(check, a, b, touch->sub) : check_by_keys(check, a, b);
}

static const char *why_unplaced(const struct plan *plan, const struct object *object) {
    (void)plan;
    (void)object;
    return "by levels every rank has a copy, and hears after each level what changed";
}

static void cost(const struct cost_question *question, struct plan_estimate *estimate) {
    estimate->parts[COST_ROUNDS] = question->iterations * level_time + estimate->parts[COST_WORK];
}

const char *levels_names(const struct plan *plan) {
    const char *names = "no element";
    int count = 0;
    while (count < plan->ntouches && !plan->touches[count].own)
        ++count;
    for (int i = 0; i < count; ++i) {
        const char *before = i == 0           ? ""
                             : i + 1 == count ? arena_printf(plan_arena(plan), "%s or ", names)
                                              : arena_printf(plan_arena(plan), "%s, ", names);
        names = arena_printf(plan_arena(plan), "%s%s", before, plan->touches[i].object->name);
    }
    return names;
}

static void explain(struct plan *plan) {
    plan->code = ORR1401;
    plan->message = arena_printf(
        plan_arena(plan),
        "parallel by levels: iterations that touch the same elements of %s keep the loop's order, "
        "and which those are is looked up before the loop runs",
        levels_names(plan));
}

const struct strategy_ops strategy_levels = {
    .by_key = true,
    .one_rank = true,
    .devices = true,
    .propose = propose,
    .complete = levels_complete,
    .prove = levels_prove,
    .together = "iterations that touch no common element as listed run together",
    .why_unplaced = why_unplaced,
    .cost = cost,
    .slower = {[COST_ROUNDS] = "workers wait for each other at every level",
               [COST_INSPECTION] = "what iterations touch is listed first"},
    .explain = explain,
};
