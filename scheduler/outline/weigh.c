/* Loops inside whose lengths tell what an iteration costs beside others. */
#include "scheduler/outline/outline.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

struct name_check {
    const struct outline *job;
    bool good;
};

static void visit_name(void *data, struct expr *expr, struct expr *parent) {
    struct name_check *check = data;
    const struct variable *var = expr->kind == EXPR_VAR ? expr->var : NULL;
    (void)parent;
    if (expr->kind == EXPR_CALL || (var && var != check->job->loop->variable && var->function &&
                                    !emit_field_of(check->job, var)))
        check->good = false;
}

/* Its value has a name at the head of an iteration. */
static bool is_named(const struct outline *job, const struct symbol *symbol) {
    struct name_check check = {job, true};
    if (symbol->kind == SYMBOL_LOOP)
        return symbol->loop == job->loop;
    if (symbol->kind == SYMBOL_DERIVED || symbol->inner || !symbol->expr)
        return false;
    emit_walk_expr(symbol->expr, NULL, visit_name, &check);
    for (int g = 0; g < symbol->nguards; ++g)
        emit_walk_expr(symbol->guards[g], NULL, visit_name, &check);
    return check.good;
}

static bool is_affine_named(const struct outline *job, const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i)
        if (!is_named(job, affine->terms[i].symbol))
            return false;
    return true;
}

static bool is_varying(const struct affine *affine) {
    for (int i = 0; i < affine->nterms; ++i)
        if (affine->terms[i].symbol->kind != SYMBOL_PARAM)
            return true;
    return false;
}

/* A loop inside, of a length that the iteration decides and that can be said beforehand. */
static bool has_own_length(const struct outline *job, const struct inner_loop *inner) {
    return inner->loop != job->loop && inner->loop->function == job->loop->function &&
           inner->has_lower && inner->has_upper && inner->step != 0 &&
           (is_varying(&inner->lower) || is_varying(&inner->upper)) &&
           is_affine_named(job, &inner->lower) && is_affine_named(job, &inner->upper);
}

static bool has_blocks_to_cut(const struct outline *job) {
    return !job->facts->by_number && !job->kernel_name &&
           strategy_of(job->plan)->space != SPACE_NONE && !strategy_of(job->plan)->cuts_iterations;
}

bool emit_is_weighed(const struct outline *job, const struct inner_loop *inner) {
    return has_blocks_to_cut(job) && has_own_length(job, inner);
}

bool emit_has_weights(const struct outline *job) {
    for (int i = 0; i < job->facts->ninner; ++i)
        if (emit_is_weighed(job, &job->facts->inner[i]))
            return true;
    return false;
}
