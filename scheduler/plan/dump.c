/*
 * --dump=plan: one plan, one fact per line.
 */
#include "scheduler/plan/parts.h"

#include <inttypes.h>
#include <stdio.h>

static const char *dim_name(const struct plan *plan, int dim) {
    return dim >= 0 ? plan->analysis->dims[dim].name : "-";
}

void plan_dump(const struct plan *plan, void *stream) {
    FILE *out = stream;
    const struct loop *loop = plan->analysis->loop;
    fprintf(out, "plan of loop %d in %s, line %d: %s\n", loop->id,
            loop->function ? loop->function->name : "?", loop->header.begin.line,
            strategy_name(plan->strategy));
    fprintf(out, "  %s %s\n", plan->code, plan->message);
    if (plan->fix) {
        fprintf(out, "  fix: %s\n", plan->fix);
    }
    if (plan->strategy == STRATEGY_SERIAL) {
        return;
    }
    fprintf(out, "  space %s time %s grid %ld x %ld seed %" PRIu64 "%s%s\n",
            dim_name(plan, plan->space), dim_name(plan, plan->time), plan->rows, plan->columns,
            plan->seed, plan->by_key ? " by key" : "", plan->from_file ? " from file" : "");
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *a = &plan->arrays[i];
        fprintf(out, "  %s %s", placement_name(a->placement), a->object->name);
        fprintf(out, a->dim >= 0 ? " by %s\n" : "%s\n", a->dim >= 0 ? dim_name(plan, a->dim) : "");
        if (a->why) {
            fprintf(out, "    %s\n", a->why);
        }
    }
    if (plan->bytes_moved) {
        fprintf(out, "  moves %s\n", plan->bytes_moved);
    }
}
