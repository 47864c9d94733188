/* Names of dims and of what is folded, for words. */
#include "scheduler/plan/parts.h"

const char *plan_dim_names(struct arena *arena, const struct analysis *analysis, int ndims,
                           const int *dims, const char *last) {
    const char *names = analysis->dims[dims[0]].name;
    for (int i = 1; i < ndims; ++i) {
        names = arena_printf(arena, "%s%s%s", names, i + 1 < ndims ? ", " : last,
                             analysis->dims[dims[i]].name);
    }
    return names;
}

/* None: the plan was edited, and will be refused. */
const char *plan_reduction_names(const struct plan *plan, bool merged) {
    const struct loop_facts *facts = plan->analysis->facts;
    const char *names = NULL;
    for (int i = 0; i < facts->nreductions; ++i) {
        const char *name = facts->reductions[i].object->name;
        if (reduction_is_merged(&facts->reductions[i]) == merged)
            names = names ? arena_printf(plan_arena(plan), "%s, %s", names, name) : name;
    }
    return names ? names : "nothing";
}
