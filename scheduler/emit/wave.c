/*
 * Wavefronts: the body of a block. The headers of the loops that are cut are replaced, statements
 * get a condition, and everything else is the user's text in its order.
 */
#include "scheduler/outline/outline.h"

#include <string.h>

/*
 * Good blocks, measured (docs/measurements.md): narrow where a loop inside waits for its own last
 * result, since the processor then overlaps the rows of the block; wide where it does not; small
 * where each iteration of the loop inside has loops of its own. Not measured: a tile of a warp,
 * with an iteration per lane, in positions enough that the lanes that wait at its ends count for
 * little.
 */
static const struct shape {
    long height, width;
} narrow = {32, 8}, wide = {64, 256}, deep = {4, 16}, tile = {32, 128};

static bool is_wave(const struct outline *job) {
    return job->plan->strategy == STRATEGY_WAVEFRONT;
}

/* Where a directive stands right in front of the part, such as one that speaks of the loop. */
static bool directive_before(const struct outline *job, size_t begin, size_t end,
                             size_t *directive) {
    struct token_scan scan = token_scan_start(job->source, begin, end);
    bool found = false;
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_DIRECTIVE) {
            found = true;
            *directive = t.begin;
        }
    return found;
}

static bool is_ours(const struct outline *job, size_t directive) {
    for (int i = 0; i < job->unit->nloops; ++i) {
        const struct pragma *pragma = job->unit->loops[i]->pragma;
        if (pragma && pragma->range.begin.file == job->unit->main_file &&
            pragma->range.begin.offset <= directive && directive < pragma->range.end.offset)
            return true;
    }
    return false;
}

bool emit_directive_between(const struct outline *job, size_t begin, size_t end) {
    size_t directive = 0;
    return directive_before(job, begin, end, &directive) && !is_ours(job, directive);
}

bool emit_wave_check(struct outline *job) {
    const struct plan_wave *wave = job->plan->wave;
    size_t end = job->loop->body->range.begin.offset;
    for (int i = 0; is_wave(job) && i < wave->nparts; ++i) {
        const struct range *range = &wave->parts[i].stmt->range;
        if (range->begin.file != job->unit->main_file ||
            emit_directive_between(job, end, range->begin.offset))
            return emit_refuse(
                job, ORR2404, *range,
                "the loop stays serial: a directive in front of this statement would "
                "speak of a piece of it only");
        end = range->end.offset;
    }
    return true;
}

/* ---- positions ------------------------------------------------------------------------------- */

/* What the part adds to direction * variable, with `sign` in front of each term. */
static const char *offset_text(struct outline *job, const struct wave_part *part, char sign) {
    long skew = job->plan->wave->skew;
    const char *text = skew == 0   ? ""
                       : skew == 1 ? arena_printf(job->arena, " %c orrery_i", sign)
                                   : arena_printf(job->arena, " %c %ld * orrery_i", sign, skew);
    return part->shift ? arena_printf(job->arena, "%s %c %ld", text, sign, part->shift) : text;
}

const char *emit_wave_position(struct outline *job, const struct wave_part *part,
                               const char *value) {
    return arena_printf(job->arena, job->plan->wave->direction > 0 ? "%s%s" : "-(%s)%s", value,
                        offset_text(job, part, '+'));
}

const char *emit_wave_value(struct outline *job, const struct wave_part *part,
                            const char *position) {
    return job->plan->wave->direction > 0
               ? arena_printf(job->arena, "%s%s", position, offset_text(job, part, '-'))
               : arena_printf(job->arena, "-(%s)%s", position, offset_text(job, part, '+'));
}

/* Names that the user's text cannot hide. */
void emit_wave_places_print(struct outline *job, struct text *out) {
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

/* ---- edits ----------------------------------------------------------------------------------- */

static bool is_wide_unsigned(const struct type *type, const struct type *other) {
    return type->kind == TYPE_INT && !type->is_signed && type->size >= 4 &&
           type->size >= other->size;
}

/* C 6.3.1.8: both sides of the condition become unsigned. */
static bool compares_unsigned(const struct loop *loop) {
    const struct type *variable = loop->variable->type;
    const struct type *upper = loop->upper ? loop->upper->type : variable;
    return is_wide_unsigned(variable, upper) || is_wide_unsigned(upper, variable);
}

const char *emit_loop_first(struct outline *job, const struct loop *loop, const char *value) {
    return loop->step > 0 && compares_unsigned(loop)
               ? arena_printf(job->arena, "((%s) < 0 ? 1L << 62 : %s)", value, value)
               : value;
}

const char *emit_loop_last(struct outline *job, const struct loop *loop, const char *value) {
    return loop->step < 0 && compares_unsigned(loop)
               ? arena_printf(job->arena, "((%s) <= 0 ? 1L << 62 : %s)", value, value)
               : value;
}

/* The last value that the user's condition lets through. */
static const char *last_text(struct outline *job, const struct loop *loop) {
    const char *upper = emit_expr(job, loop->upper);
    bool strict = loop->relation == OP_LT || loop->relation == OP_GT;
    return arena_printf(job->arena, "(long)(%s)%s", upper,
                        !strict          ? ""
                        : loop->step > 0 ? " - 1"
                                         : " + 1");
}

/*
 * { bounds of the piece; for (the piece). An empty piece may have bounds that do not fit the
 * variable's type.
 */
static const char *header_text(struct outline *job, const struct wave_part *part) {
    const struct loop *loop = part->loop->loop;
    const char *type = emit_type_plain(job, loop->variable->type), *name = loop->variable->name;
    bool up = loop->step > 0;
    const char *variable =
        loop->declares_variable ? emit_declare_plain(job, loop->variable->type, name) : name;
    const char *lower =
        arena_printf(job->arena, "(long)(%s)(%s)", type, emit_expr(job, loop->lower));
    const char *some = up ? "orrery_first <= orrery_last" : "orrery_first >= orrery_last";
    return arena_printf(
        job->arena,
        "{ const long orrery_first = orrery_enter(%s, %ldL, %s), "
        "orrery_last = orrery_sooner(%s, %s, %ldL); "
        "const %s orrery_start = (%s)(%s ? orrery_first : 0), "
        "orrery_stop = (%s)(%s ? orrery_last %s 1 : 0); "
        "for (%s = orrery_start; %s %s orrery_stop; %s += %ld)",
        emit_loop_first(job, loop, lower), loop->step, emit_wave_value(job, part, "orrery_from"),
        emit_loop_last(job, loop, last_text(job, loop)),
        emit_wave_value(job, part, "orrery_to - 1"), loop->step, type, type, some, type, some,
        up ? "+" : "-", variable, name, up ? "<" : ">", name, loop->step);
}

/* Other edits inside of a header are in its expressions already. */
static void edit_header(struct outline *job, struct text_edits *edits,
                        const struct wave_part *part) {
    const struct range *header = &part->loop->loop->header;
    int kept = 0;
    for (int i = 0; i < edits->count; ++i) {
        const struct text_edit *edit = &edits->items[i];
        if (edit->begin < header->begin.offset || edit->end > header->end.offset)
            edits->items[kept++] = *edit;
    }
    edits->count = kept;
    text_edit_add(edits, header->begin.offset, header->end.offset, header_text(job, part));
}

void emit_wave_edits(struct outline *job, struct text_edits *edits) {
    const struct plan_wave *wave = job->plan->wave;
    for (int i = 0; i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        const struct range *range = &part->stmt->range;
        if (part->kind == WAVE_DECLARATION)
            continue;
        if (part->kind == WAVE_LOOP)
            edit_header(job, edits, part);
        else
            text_edit_add(edits, range->begin.offset, range->begin.offset,
                          arena_printf(job->arena,
                                       "if (orrery_from <= orrery_place_%d && orrery_place_%d < "
                                       "orrery_to) { ",
                                       i, i));
        text_edit_add(edits, range->end.offset, range->end.offset, " }");
    }
}

/* ---- reach ----------------------------------------------------------------------------------- */

static void print_part(struct outline *job, const struct wave_part *part, struct text *out) {
    const char *low = emit_affine_text(job, part->at_end ? &part->loop->upper : &part->loop->lower);
    const char *high = part->kind == WAVE_LOOP ? emit_affine_text(job, &part->loop->upper) : low;
    text_print(out, "        orrery_reach_add(orrery_out, %s,\n            %s);\n",
               emit_wave_position(job, part, low), emit_wave_position(job, part, high));
}

/* Positions go straight from the first iteration to the last, so these two tell of all. */
void emit_wave_print(struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    struct text lines;
    if (!is_wave(job))
        return;
    text_start(&lines, job->arena);
    for (int i = 0; i < job->plan->wave->nparts; ++i)
        if (job->plan->wave->parts[i].kind != WAVE_DECLARATION)
            print_part(job, &job->plan->wave->parts[i], &lines);
    text_print(out,
               "static void orrery_reach_%d(const void *orrery_e, long orrery_begin, long "
               "orrery_end,\n"
               "                            struct orrery_reach *orrery_out) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    emit_locals_print(job, lines.bytes, false, out);
    text_print(out,
               "    for (long orrery_end_of = 0; orrery_end_of < 2; ++orrery_end_of) {\n"
               "        const long orrery_i = orrery_end_of ? orrery_end - 1 : orrery_begin;\n"
               "        %s = %s;\n        (void)%s;\n%s    }\n}\n\n",
               emit_declare_plain(job, var->type, var->name),
               emit_variable_of(job, "orrery_env->orrery_lower", "orrery_i"), var->name,
               lines.bytes);
    emit_sections_print(job, out);
}

static bool has_loop(const struct stmt *stmt) {
    bool found = stmt && (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE);
    for (int i = 0; stmt && !found && i < stmt->nbody; ++i)
        found = has_loop(stmt->body[i]);
    return found || (stmt && (has_loop(stmt->then) || has_loop(stmt->other)));
}

void emit_wave_table_print(struct outline *job, struct text *out) {
    const struct plan_wave *wave = job->plan->wave;
    if (!is_wave(job))
        return;
    const struct shape *shape = wave->carries ? &narrow : &wide;
    for (int i = 0; i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP && has_loop(wave->parts[i].loop->loop->body))
            shape = &deep;
    if (job->kernel_name)
        shape = &tile;
    text_print(out, "    .reach = orrery_reach_%d,\n    .height = %ld,\n    .width = %ld,\n",
               job->number, shape->height, shape->width);
    if (emit_has_sections(job))
        text_print(out, "    .sections = orrery_sections_%d,\n", job->number);
}
