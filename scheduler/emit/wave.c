/*
 * Wavefronts: the body of a block. The headers of the loops that are cut are replaced, statements
 * get a condition, and everything else is the user's text in its order.
 */
#include "scheduler/cost/count.h"
#include "scheduler/emit/print.h"

/*
 * Good blocks, measured (docs/measurements.md): narrow where a loop inside waits for its own last
 * result, since the processor then overlaps the rows of the block; wide where it does not; small
 * where each iteration of the loop inside has loops of its own, which then take about DEEP counted
 * nanoseconds. Not measured: a tile of a warp, with an iteration per lane, in positions enough that
 * the lanes that wait at its ends count for little.
 */
enum { DEEP = 8000, DEEP_HEIGHT = 4, DEEP_LEAST = 4, DEEP_MOST = 16 };

static const struct shape {
    long height, width;
} narrow = {32, 8}, wide = {64, 256}, tile = {32, 128};

/* ---- positions ------------------------------------------------------------------------------- */

/* Names that the user's text cannot hide. */
void emit_wave_places_print(const struct outline *job, struct text *out) {
    const struct plan_wave *wave = job->plan->wave;
    for (int i = 0; i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        if (part->kind != WAVE_STATEMENT)
            continue;
        const struct affine *value = part->at_end ? &part->loop->upper : &part->loop->lower;
        text_print(out, "        const long orrery_place_%d = %s;\n", i,
                   emit_wave_position(job, part, emit_affine_text(job, value)));
    }
}

/* ---- reach ----------------------------------------------------------------------------------- */

static void print_part(const struct outline *job, const struct wave_part *part, struct text *out) {
    const char *low = emit_affine_text(job, part->at_end ? &part->loop->upper : &part->loop->lower);
    const char *high = part->kind == WAVE_LOOP ? emit_affine_text(job, &part->loop->upper) : low;
    text_print(out, "        orrery_reach_add(orrery_out, %s,\n            %s);\n",
               emit_wave_position(job, part, low), emit_wave_position(job, part, high));
}

/* Positions go straight from the first iteration to the last, so these two tell of all. */
void emit_wave_print(const struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    struct text lines;
    if (!emit_is_wave(job))
        return;
    text_start(&lines, job->arena);
    for (int i = 0; i < job->plan->wave->nparts; ++i)
        if (job->plan->wave->parts[i].kind != WAVE_DECLARATION)
            print_part(job, &job->plan->wave->parts[i], &lines);
    text_print(out,
               "static void orrery_reach_%d(const void *orrery_e, long orrery_begin, long "
               "orrery_end,\n"
               "                            struct orrery_reach *orrery_out) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    long orrery_end_of;\n",
               job->number, job->number);
    emit_locals_print(job, lines.bytes, false, out);
    text_print(out,
               "    for (orrery_end_of = 0; orrery_end_of < 2; ++orrery_end_of) {\n"
               "        const long orrery_i = orrery_end_of ? orrery_end - 1 : orrery_begin;\n"
               "        %s = %s;\n        (void)%s;\n%s    }\n}\n\n",
               emit_declare_plain(job, var->type, var->name),
               emit_variable_of(job, "orrery_env->orrery_lower", "orrery_i"), var->name,
               lines.bytes);
}

static bool has_loop(const struct stmt *stmt) {
    bool found = stmt && (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE);
    for (int i = 0; stmt && !found && i < stmt->nbody; ++i)
        found = has_loop(stmt->body[i]);
    return found || (stmt && (has_loop(stmt->then) || has_loop(stmt->other)));
}

/* Of blocks whose positions take so long. */
static struct shape deep_shape(double nanoseconds) {
    double width = DEEP / (DEEP_HEIGHT * nanoseconds);
    return (struct shape){DEEP_HEIGHT, width < DEEP_LEAST  ? DEEP_LEAST
                                       : width > DEEP_MOST ? DEEP_MOST
                                                           : (long)width};
}

static struct shape shape_of(const struct outline *job) {
    const struct plan_wave *wave = job->plan->wave;
    double deep = 0;
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP && has_loop(wave->parts[i].loop->loop->body))
            deep += cost_count(wave->parts[i].loop->loop->body, EMIT_UNKNOWN_TRIPS);
    return job->kernel_name ? tile : deep > 0 ? deep_shape(deep) : wave->carries ? narrow : wide;
}

void emit_wave_table_print(const struct outline *job, struct text *out) {
    if (!emit_is_wave(job))
        return;
    const struct shape shape = shape_of(job);
    text_print(out, "    .reach = orrery_reach_%d,\n    .height = %ld,\n    .width = %ld,\n",
               job->number, shape.height, shape.width);
}
