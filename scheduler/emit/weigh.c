/*
 * What an iteration costs beside others: loops inside whose lengths differ from iteration to
 * iteration (rows of a sparse matrix, a triangle). It decides where blocks are cut, nothing else:
 * what cannot be said before the iteration runs counts as all the same.
 */
#include "scheduler/cost/count.h"
#include "scheduler/outline/outline.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* Hundreds of picoseconds: weights are whole numbers. */
#define WEIGHT_OF_A_NANOSECOND 10

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
static bool is_weighed(const struct outline *job, const struct inner_loop *inner) {
    return inner->loop != job->loop && inner->loop->function == job->loop->function &&
           inner->has_lower && inner->has_upper && inner->step != 0 &&
           (is_varying(&inner->lower) || is_varying(&inner->upper)) &&
           is_affine_named(job, &inner->lower) && is_affine_named(job, &inner->upper);
}

static long weight_of(double nanoseconds) {
    long weight = (long)(nanoseconds * WEIGHT_OF_A_NANOSECOND);
    return weight > 1 ? weight : 1;
}

static long trip_weight(const struct inner_loop *inner) {
    return weight_of(COST_OPERATION + cost_count(inner->loop->body, EMIT_UNKNOWN_TRIPS));
}

static void print_loop(struct outline *job, const struct inner_loop *inner, struct text *out) {
    const struct affine *low = inner->step > 0 ? &inner->lower : &inner->upper;
    const struct affine *high = inner->step > 0 ? &inner->upper : &inner->lower;
    const char *guards[2] = {emit_affine_guard(job, low), emit_affine_guard(job, high)};
    text_print(out, "    {\n");
    emit_affine_reads(job, low, 8, out);
    emit_affine_reads(job, high, 8, out);
    for (int i = 0; i < 2; ++i)
        if (guards[i])
            text_print(out, "        if (%s)\n", guards[i]);
    text_print(out, "        orrery_w += orrery_weight(%s, %s, %ldL, %ldL);\n    }\n",
               emit_affine_text(job, low), emit_affine_text(job, high),
               inner->step > 0 ? inner->step : -inner->step, trip_weight(inner));
}

/* All but the loops that are weighed. */
static long rest_of(struct outline *job) {
    double rest = cost_count(job->loop->body, EMIT_UNKNOWN_TRIPS) * WEIGHT_OF_A_NANOSECOND;
    for (int i = 0; i < job->facts->ninner; ++i)
        if (is_weighed(job, &job->facts->inner[i]))
            rest -= (double)EMIT_UNKNOWN_TRIPS * (double)trip_weight(&job->facts->inner[i]);
    return rest > 1 ? (long)rest : 1;
}

static bool has_blocks_to_cut(const struct outline *job) {
    return !job->facts->by_number && !job->kernel_name &&
           strategy_of(job->plan)->space != SPACE_NONE && !strategy_of(job->plan)->cuts_iterations;
}

void emit_weigh_print(struct outline *job, struct text *out) {
    struct text loops;
    text_start(&loops, job->arena);
    for (int i = 0; has_blocks_to_cut(job) && i < job->facts->ninner; ++i)
        if (is_weighed(job, &job->facts->inner[i]))
            print_loop(job, &job->facts->inner[i], &loops);
    if (!loops.length)
        return;
    const char *body = arena_printf(
        job->arena, "%s    long orrery_w = %ldL;\n    (void)orrery_s;\n%s    return orrery_w;\n",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), rest_of(job),
        loops.bytes);
    job->weigh_text = body;
    text_print(out,
               "static long orrery_weigh_%d(const void *orrery_e, long orrery_i,\n"
               "                          struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}
