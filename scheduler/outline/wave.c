/*
 * Wavefronts: the body of a block. The headers of the loops that are cut are replaced, statements
 * get a condition, and everything else is the user's text in its order.
 */
#include "scheduler/outline/collect.h"

#include <string.h>

bool emit_is_wave(const struct outline *job) {
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

bool emit_directive_is_ours(const struct outline *job, size_t directive) {
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
    return directive_before(job, begin, end, &directive) && !emit_directive_is_ours(job, directive);
}

bool emit_wave_check(struct outline *job) {
    const struct plan_wave *wave = job->plan->wave;
    size_t end = job->loop->body->range.begin.offset;
    for (int i = 0; emit_is_wave(job) && i < wave->nparts; ++i) {
        const struct range *range = &wave->parts[i].stmt->range;
        if (range->begin.file != job->unit->main_file ||
            emit_directive_speaks(job, end, range->begin.offset))
            return emit_refuse(
                job, ORR2404, *range,
                "the loop stays serial: a directive in front of this statement would "
                "speak of a piece of it only");
        end = range->end.offset;
    }
    return true;
}

/* What the part adds to direction * variable, with `sign` in front of each term. */
static const char *offset_text(const struct outline *job, const struct wave_part *part, char sign) {
    long skew = job->plan->wave->skew;
    const char *text = skew == 0   ? ""
                       : skew == 1 ? arena_printf(job->arena, " %c orrery_i", sign)
                                   : arena_printf(job->arena, " %c %ld * orrery_i", sign, skew);
    return part->shift ? arena_printf(job->arena, "%s %c %ld", text, sign, part->shift) : text;
}

const char *emit_wave_position(const struct outline *job, const struct wave_part *part,
                               const char *value) {
    return arena_printf(job->arena, job->plan->wave->direction > 0 ? "%s%s" : "-(%s)%s", value,
                        offset_text(job, part, '+'));
}

const char *emit_wave_value(const struct outline *job, const struct wave_part *part,
                            const char *position) {
    return job->plan->wave->direction > 0
               ? arena_printf(job->arena, "%s%s", position, offset_text(job, part, '-'))
               : arena_printf(job->arena, "-(%s)%s", position, offset_text(job, part, '+'));
}

/* C 6.3.1.8: both sides of the condition become unsigned. */
static bool compares_unsigned(const struct loop *loop) {
    const struct type *variable = loop->variable->type;
    const struct type *upper = loop->upper ? loop->upper->type : variable;
    return type_is_wide_unsigned(variable, upper) || type_is_wide_unsigned(upper, variable);
}

const char *emit_loop_first(const struct outline *job, const struct loop *loop, const char *value) {
    return loop->step > 0 && compares_unsigned(loop)
               ? arena_printf(job->arena, "((%s) < 0 ? 1L << 62 : %s)", value, value)
               : value;
}

const char *emit_loop_last(const struct outline *job, const struct loop *loop, const char *value) {
    return loop->step < 0 && compares_unsigned(loop)
               ? arena_printf(job->arena, "((%s) <= 0 ? 1L << 62 : %s)", value, value)
               : value;
}

/* The last value that the user's condition lets through. */
static const char *last_text(const struct outline *job, const struct loop *loop) {
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
static const char *header_text(const struct outline *job, const struct wave_part *part) {
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
static void edit_header(const struct outline *job, struct text_edits *edits,
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

void emit_wave_edits(const struct outline *job, struct text_edits *edits) {
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
