/*
 * What an iteration costs beside others: loops inside whose lengths differ from iteration to
 * iteration (rows of a sparse matrix, a triangle). It decides where blocks are cut, nothing else:
 * what cannot be said before the iteration runs counts as all the same.
 */
#include "scheduler/cost/count.h"
#include "scheduler/emit/print.h"

/* Hundreds of picoseconds: weights are whole numbers. */
#define WEIGHT_OF_A_NANOSECOND 10

static long weight_of(double nanoseconds) {
    long weight = (long)(nanoseconds * WEIGHT_OF_A_NANOSECOND);
    return weight > 1 ? weight : 1;
}

static long trip_weight(const struct inner_loop *inner) {
    return weight_of(COST_OPERATION + cost_count(inner->loop->body, EMIT_UNKNOWN_TRIPS));
}

static void print_loop(const struct outline *job, const struct inner_loop *inner,
                       struct text *out) {
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
static long rest_of(const struct outline *job) {
    double rest = cost_count(job->loop->body, EMIT_UNKNOWN_TRIPS) * WEIGHT_OF_A_NANOSECOND;
    for (int i = 0; i < job->facts->ninner; ++i)
        if (emit_is_weighed(job, &job->facts->inner[i]))
            rest -= (double)EMIT_UNKNOWN_TRIPS * (double)trip_weight(&job->facts->inner[i]);
    return rest > 1 ? (long)rest : 1;
}

void emit_weigh_print(const struct outline *job, struct text *out) {
    struct text loops;
    text_start(&loops, job->arena);
    for (int i = 0; i < job->facts->ninner; ++i)
        if (emit_is_weighed(job, &job->facts->inner[i]))
            print_loop(job, &job->facts->inner[i], &loops);
    if (!loops.length)
        return;
    const char *body = arena_printf(
        job->arena, "%s    long orrery_w = %ldL;\n    (void)orrery_s;\n%s    return orrery_w;\n",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), rest_of(job),
        loops.bytes);
    text_print(out,
               "static long orrery_weigh_%d(const void *orrery_e, long orrery_i,\n"
               "                          struct orrery_span *orrery_s) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}
