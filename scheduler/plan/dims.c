/* The dims of a plan and of its grid. */
#include "scheduler/plan/parts.h"

const char *placement_name(enum placement placement) {
    static const char *const names[] = {
        [PLACE_RESIDENT] = "resident",     [PLACE_ROTATING] = "rotating",
        [PLACE_REPLICATED] = "replicated", [PLACE_ALIGNED] = "aligned",
        [PLACE_PRIVATE] = "private",       [PLACE_SERVED] = "served",
        [PLACE_UNPLACED] = "unplaced",
    };
    return names[placement];
}

int plan_variable_dim(const struct analysis *analysis) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (analysis->dims[d].kind == DIM_VARIABLE)
            return d;
    return -1;
}

bool plan_is_listed(const struct plan *plan) {
    return strategy_form(plan->strategy)->listed;
}

bool plan_may_reorder(const struct plan *plan) {
    return plan->analysis->unordered && plan->strategy != STRATEGY_LEVELS;
}

int plan_grid_numbers(const struct plan *plan) {
    int numbers = strategy_form(plan->strategy)->grid_numbers;
    return numbers ? numbers : plan->ntimes + 1;
}

int plan_keys(const struct plan *plan, int keys[PLAN_KEYS]) {
    int n = 0;
    if (!plan->by_key || plan->space < 0)
        return 0;
    keys[n++] = plan->space;
    if (strategy_form(plan->strategy)->pairs)
        keys[n++] = plan->partner;
    for (int i = 0; i < plan->ntimes; ++i)
        keys[n++] = plan->times[i];
    return n;
}

int plan_grid_dim(const struct plan *plan, int dim) {
    if (dim < 0 || dim == plan->space || dim == plan->partner)
        return dim < 0 ? -1 : 0;
    for (int i = 0; i < plan->ntimes; ++i)
        if (plan->times[i] == dim)
            return i + 1;
    return -1;
}
