/*
 * Which relaxed or buffered arrays can be served (docs/served.md): no rank has all of one, and what
 * a chunk of iterations touches is listed before it runs.
 */
#include "scheduler/strategy/strategy.h"

/* The list has the first subscript's values, whose elements lie in one piece. */
static bool is_listable(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    bool flat = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER;
    if (!flat || object->ndims < 1 || !object->dims[0].stride_text)
        return false;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        int loops[a->nloops + 1];
        if (a->object == object && plan_touch_loops(facts, a, 0, loops) < 0)
            return false;
    }
    return true;
}

static void touch_add(struct plan *plan, struct object *object) {
    struct plan_touch touch = {object, 0, false};
    if (!plan_touch_of(plan, object))
        ARENA_PUSH(plan->analysis->facts->unit->arena, plan->touches, plan->ntouches, touch);
}

bool plan_serve(struct plan *plan, const struct reduction *reduction) {
    bool served = strategy_of(plan)->merges && !plan->by_key && !plan->gpu &&
                  reduction_is_merged(reduction) && reduction->apart &&
                  is_listable(plan, reduction->object);
    if (served)
        touch_add(plan, reduction->object);
    return served;
}

bool plan_is_served(const struct plan *plan, const struct object *object) {
    for (int i = 0; i < plan->narrays; ++i)
        if (plan->arrays[i].object == object)
            return plan->arrays[i].placement == PLACE_SERVED;
    return false;
}

bool plan_serves(const struct plan *plan) {
    for (int i = 0; i < plan->narrays; ++i)
        if (plan->arrays[i].placement == PLACE_SERVED)
            return true;
    return false;
}

void plan_unserve(struct plan *plan) {
    struct loop_facts *facts = plan->analysis->facts;
    for (int r = 0; plan_serves(plan) && r < facts->nreductions; ++r)
        facts->reductions[r].apart = false;
    for (int i = 0; i < plan->narrays; ++i)
        if (plan->arrays[i].placement == PLACE_SERVED)
            plan->arrays[i].placement = PLACE_PRIVATE;
    plan->ntouches = 0;
}
