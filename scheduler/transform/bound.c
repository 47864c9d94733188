#include "scheduler/transform/bound.h"

#include <math.h>
#include <stdlib.h>

/* A subscript that the loop moves by `coeff` takes at most so many values. */
static double most_values(const struct object *object, int dim, long coeff) {
    long extent;
    if (dim >= object->ndims || !shape_number(object->dims[dim].extent_text, &extent))
        return HUGE_VAL;
    return ceil((double)extent / (double)labs(coeff));
}

static double most_by_access(const struct nest *nest, const struct access *access, int loop) {
    double most = HUGE_VAL;
    for (int d = 0; d < access->nsubs; ++d) {
        const struct affine *value = &access->subs[d].value;
        for (int t = 0; t < value->nterms; ++t)
            if (nest_loop_of(nest, value->terms[t].symbol) == loop)
                most = fmin(most, most_values(access->object, d, value->terms[t].coeff));
    }
    return most;
}

/* As its header says. */
static double most_by_header(const struct nest_loop *loop) {
    const struct inner_loop *bounds = loop->bounds;
    if (bounds->lower.nterms > 0 || bounds->upper.nterms > 0)
        return HUGE_VAL;
    return fmax(0, (double)bounds->upper.constant - (double)bounds->lower.constant + 1);
}

static double most_trips(const struct nest *nest, const struct nest_statement *s, int loop) {
    double most = most_by_header(&nest->loops[loop]);
    for (int i = 0; i < s->naccesses; ++i)
        most = fmin(most, most_by_access(nest, s->accesses[i].access, loop));
    return most;
}

static double most_runs(const struct nest *nest, const struct nest_statement *s) {
    double runs = 1;
    for (int l = 0; l < s->nloops; ++l)
        runs *= most_trips(nest, s, s->loops[l]);
    return runs;
}

double nest_most_iterations(const struct nest *nest) {
    double most = 0;
    for (int i = 0; i < nest->nstatements; ++i)
        most = fmax(most, most_runs(nest, &nest->statements[i]));
    return most;
}

double loop_most_iterations(const struct loop_facts *facts) {
    double most = HUGE_VAL;
    for (int i = 0; i < facts->naccesses; ++i)
        for (int d = 0; d < facts->accesses[i].nsubs; ++d) {
            const struct subscript *sub = &facts->accesses[i].subs[d];
            for (int t = 0; sub->known && t < sub->value.nterms; ++t)
                if (sub->value.terms[t].symbol->kind == SYMBOL_LOOP)
                    most = fmin(
                        most, most_values(facts->accesses[i].object, d, sub->value.terms[t].coeff));
        }
    return most;
}
