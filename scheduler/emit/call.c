/* The call of orrery_run in the loop's place. */
#include "scheduler/emit/print.h"

#include <string.h>

/* `expr` as the user wrote it where that is one line of his own text. */
static const char *source_text(const struct outline *job, const struct expr *expr) {
    const struct range *range = &expr->range;
    size_t length = range->end.offset - range->begin.offset;
    if (range->exact && !job->nmacros && range->begin.file == job->unit->main_file &&
        !memchr(job->source + range->begin.offset, '\n', length) &&
        !memchr(job->source + range->begin.offset, '/', length))
        return arena_strndup(job->arena, job->source + range->begin.offset, length);
    return expr_print(job->arena, expr);
}

static const char *relation_text(enum op relation) {
    return relation == OP_LT   ? "<"
           : relation == OP_LE ? "<="
           : relation == OP_GT ? ">"
           : relation == OP_GE ? ">="
                               : "!=";
}

static bool is_unsigned_int(const struct type *type) {
    return type->kind == TYPE_INT && !type->is_signed && type->size == 4;
}

/* `value` made an unsigned long so that differences
 * come out as the comparison's own type has them. */
static const char *widened(const struct outline *job, const char *value) {
    const struct type *variable = job->loop->variable->type, *upper = job->loop->upper->type;
    bool wide = variable->size == 8 || upper->size == 8;
    bool half = !wide && (is_unsigned_int(variable) || is_unsigned_int(upper));
    return arena_printf(job->arena, half ? "(unsigned int)(%s)" : "(unsigned long)(%s)", value);
}

static const char *step_text(const struct outline *job) {
    unsigned long step =
        job->loop->step > 0 ? (unsigned long)job->loop->step : 0ul - (unsigned long)job->loop->step;
    return job->loop->stride ? arena_printf(job->arena, "(unsigned long)(%s)",
                                            expr_print(job->arena, job->loop->stride))
                             : arena_printf(job->arena, "%luUL", step);
}

/* Iterations of a loop over pointers when the first test holds. */
static const char *pointer_count(const struct outline *job, const char *upper) {
    const struct loop *loop = job->loop;
    bool up = loop->step > 0;
    const char *apart = arena_printf(job->arena,
                                     up ? "(unsigned long)((%s) - orrery_first)"
                                        : "(unsigned long)(orrery_first - (%s))",
                                     upper);
    const char *step = step_text(job);
    if (loop->relation == OP_LT || loop->relation == OP_GT)
        return arena_printf(job->arena, "(long)((%s - 1) / %s + 1)", apart, step);
    if (loop->relation == OP_NE)
        return arena_printf(job->arena, "(long)(%s / %s)", apart, step);
    return arena_printf(job->arena, "(long)(%s / %s + 1)", apart, step);
}

/* Iterations when the first test holds. */
static const char *count_text(const struct outline *job, const char *upper) {
    const struct loop *loop = job->loop;
    if (loop->variable->type->kind == TYPE_POINTER)
        return pointer_count(job, upper);
    const char *high = widened(job, loop->step > 0 ? upper : "orrery_first");
    const char *low = widened(job, loop->step > 0 ? "orrery_first" : upper);
    const char *difference = arena_printf(job->arena, "(unsigned long)(%s - %s)", high, low);
    const char *step = step_text(job);
    if (loop->relation == OP_LT || loop->relation == OP_GT)
        return arena_printf(job->arena, "(long)((%s - 1) / %s + 1)", difference, step);
    if (loop->relation == OP_NE)
        return arena_printf(job->arena, "(long)(%s / %s)", difference, step);
    return arena_printf(job->arena, "(long)(%s / %s + 1)", difference, step);
}

/*
 * Iterations altogether. A loop that tests at its end has one more than passes its test, and one
 * that waits for a value by != has them modulo the type's range. A step below 1 is the guards'
 * business: they are asked in the first iteration.
 */
static const char *total_text(const struct outline *job, const char *upper) {
    const struct loop *loop = job->loop;
    const char *count = count_text(job, upper);
    if (loop->stride)
        count = arena_printf(job->arena, "((long)(%s) < 1 ? 1 : %s)",
                             expr_print(job->arena, loop->stride), count);
    if (loop->form == LOOP_DO && loop->relation == OP_NE) {
        const char *high = widened(job, loop->step > 0 ? upper : "orrery_first");
        const char *low = widened(job, loop->step > 0 ? "orrery_first" : upper);
        return arena_printf(job->arena, "(long)(%s - %s - 1) + 1", high, low);
    }
    return arena_printf(job->arena, "orrery_first %s (%s) ? %s : %d", relation_text(loop->relation),
                        upper, count, loop->form == LOOP_DO);
}

/* Bytes of the stack that a region may take for one array more. */
enum { STAND_IN_BYTES = 1 << 14 };

/*
 * Scratch space in a local array, no value of which is used behind the loop: another array takes its
 * place in the region. An address that leaves the function anywhere is one that pointers may hold
 * everywhere in it: the loop that runs serially would load from memory what else stays in registers.
 * Where the program takes that address the run has to compare it with others.
 */
static bool has_stand_in(const struct outline *job, const struct emit_reduction *r) {
    const struct variable *var = r->lost && r->object ? r->object->var : NULL;
    return emit_asks_first(job) && var && r->object->kind == OBJECT_ARRAY &&
           var->storage == STORAGE_LOCAL && var->type->kind == TYPE_ARRAY && !var->address_taken &&
           !r->measured && var->type->size > 0 && var->type->size <= STAND_IN_BYTES &&
           strcmp(r->target, var->name) == 0;
}

static void print_stand_ins(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j)
        if (has_stand_in(job, &job->reductions[j]))
            text_print(out, "__typeof__(%s) orrery_scratch_%d; ", job->reductions[j].target, j);
}

/* Copies of local arrays, which the region has instead of them; and back. */
static void print_copies(const struct outline *job, bool back, struct text *out) {
    for (int i = 0; i < job->nfields; ++i) {
        const struct env_field *field = &job->fields[i];
        const char *name = field->copied ? emit_outside_name(job, field->var) : NULL;
        if (name && back && field->changed)
            text_print(out, "__builtin_memcpy(%s, %s, sizeof %s); ", name, field->value, name);
        else if (name && !back)
            text_print(out,
                       "__typeof__(%s) %s; ORRERY_ENV_BEGIN __builtin_memcpy(%s, %s, sizeof %s); "
                       "ORRERY_WARNINGS_END ",
                       name, field->value, field->value, name, name);
    }
}

/* What is summed into, where it may be read. */
static const char *target_text(const struct outline *job, int j) {
    const char *target = job->reductions[j].target;
    return emit_readiness_is_early(job) ? arena_printf(job->arena, "orrery_ready ? %s : 0", target)
                                        : target;
}

static void print_values(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions && !job->passes; ++j)
        if (emit_is_argmin(job, j))
            emit_argmin_print_value(job, j, out);
        else if (!job->reductions[j].is_array && !job->reductions[j].last)
            text_print(out, "%s orrery_value_%d = %s; ", job->reductions[j].type_text, j,
                       target_text(job, j));
}

static void print_targets(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct emit_reduction *r = &job->reductions[j];
        if (r->rows)
            text_print(out,
                       ", .orrery_target_%d = orrery_rows_%d.flat, .orrery_table_%d = "
                       "orrery_rows_%d.table, .orrery_count_%d = orrery_rows_%d.count, "
                       ".orrery_pitch_%d = orrery_rows_%d.pitch, "
                       ".orrery_stride_%d = orrery_rows_%d.stride",
                       j, j, j, j, j, j, j, j, j, j);
        else if (has_stand_in(job, r))
            text_print(out, ", .orrery_target_%d = (void *)orrery_scratch_%d", j, j);
        else if (r->is_array)
            text_print(out, ", .orrery_target_%d = (void *)(%s)", j, target_text(job, j));
        else if (r->last || job->passes)
            text_print(out, ", .orrery_target_%d = %s&%s", j,
                       emit_readiness_is_early(job) && r->follows ? "!orrery_ready ? 0 : " : "",
                       r->target);
        else
            text_print(out, ", .orrery_target_%d = &orrery_value_%d", j, j);
        if (r->measured)
            text_print(out, ", .orrery_bytes_%d = sizeof(%s)", j, r->var->name);
    }
}

/* What the body names need not be set yet. */
static void print_env(const struct outline *job, struct text *out) {
    text_print(
        out, "ORRERY_ENV_BEGIN __extension__ struct orrery_env_%d orrery_env = {.orrery_lower = %s",
        job->number, job->facts->by_number ? "0" : "(long)orrery_first");
    for (int i = 0; i < job->nfields; ++i)
        text_print(out, ", .%s = %s", job->fields[i].name, job->fields[i].value);
    print_targets(job, out);
    text_print(out, "}; ORRERY_WARNINGS_END ");
}

/* Reductions back to where they belong, and the variable's value after the loop. */
static void print_results(const struct outline *job, struct text *out) {
    const struct loop *loop = job->loop;
    emit_rows_print_ran(job, out);
    print_copies(job, true, out);
    for (int j = 0; j < job->nreductions && !job->passes; ++j)
        if (emit_is_argmin(job, j))
            emit_argmin_print_back(job, j, out);
        else if (!job->reductions[j].is_array && !job->reductions[j].last)
            text_print(out, "%s = orrery_value_%d; ", job->reductions[j].target, j);
    if (emit_is_moving(job))
        emit_moving_print_end(job, out);
    else if (!loop->declares_variable)
        text_print(out, "%s = %s; ", loop->variable->name,
                   emit_variable_of(job, "(long)orrery_first", "orrery_count"));
}

/* Variables that only the loop used would raise warnings about unused ones now. */
static void print_uses(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *var = job->facts->privates[i].var;
        if (emit_is_outside(job, var))
            text_print(out, "(void)%s; ", var->name);
    }
    for (int i = 0; i < job->nunused; ++i)
        text_print(out, "(void)%s; ", job->unused[i]->name);
    if (!job->loop->declares_variable)
        text_print(out, "(void)%s; ", job->loop->variable->name);
}

/* A read that no linker drops: an object with these very definitions has to be there. */
static void print_needs(const struct outline *job, struct text *out) {
    for (int i = 0; i < job->unit->nfunctions; ++i) {
        const struct function *f = job->unit->functions[i];
        if (f->origin && f->symbol)
            text_print(out, "(void)*(const volatile char *)&%s; ", f->symbol);
    }
}

/* Where the call stands, what a variable held where the loop begins is what it holds. */
static const char *outside_name(void *data, const struct variable *var) {
    return emit_outside_name(data, var);
}

static const char *upper_text(const struct outline *job) {
    const struct loop *loop = job->loop;
    const struct type *type = loop->variable->type;
    const char *variable = emit_type_plain(job, type);
    if (loop->nentries > 0) {
        const char *text = expr_print_renamed(job->arena, loop->upper, outside_name, (void *)job);
        return type->is_signed ? text : arena_printf(job->arena, "(%s)(%s)", variable, text);
    }
    if (loop->steps_in_body && loop->upper->kind == EXPR_INT && type->kind == TYPE_INT)
        return arena_printf(job->arena, "(%s)(%ld)", variable, (long)loop->upper->int_value);
    return source_text(job, loop->upper);
}

/* Conditions, each with ` && ` behind it. */
static const char *worth_text(const struct outline *job) {
    if (!emit_is_automatic(job))
        return "";
    if (job->standalone)
        return arena_printf(job->arena,
                            "(double)orrery_count * (%s) > 50000 && orrery_threads() > 1 && ",
                            emit_cost_text(job));
    return arena_printf(job->arena,
                        "orrery_worth(&orrery_loop_%d, &orrery_trial, (double)orrery_count * (%s)) "
                        "&& ",
                        job->number, emit_cost_text(job));
}

/* Passes that were put off come before one that runs as it was written. */
static const char *readiness_text(const struct outline *job) {
    struct text out;
    text_start(&out, job->arena);
    if (emit_readiness_is_early(job) || job->nreadiness || job->nserial)
        text_print(&out, "orrery_count > 0 && ");
    for (int i = 0; i < job->nreadiness; ++i)
        text_print(&out, "%s%s", i ? " && " : "((", job->readiness[i]);
    if (job->nreadiness)
        text_print(&out, ") || orrery_not_ready(&orrery_loop_%d)) && ", job->number);
    for (int i = 0; i < job->nserial; ++i)
        text_print(&out, "(%s || orrery_as_written(&orrery_loop_%d, \"%s\")) && ",
                   job->serial[i].holds, job->number,
                   text_escape(job->arena, job->serial[i].words));
    const char *outermost = job->runs_inside ? "orrery_is_outermost() && " : "";
    if (!job->passes || !out.length)
        return arena_printf(job->arena, "%s%s", outermost, out.bytes);
    return arena_printf(job->arena, "%s((%s1) || (orrery_passes_end(&orrery_loop_%d, 1), 0)) && ",
                        outermost, out.bytes, job->number);
}

/* Whether the loop runs in parallel is known before anything is read for it, or only then. */
static void print_readiness(const struct outline *job, struct text *out) {
    if (emit_readiness_is_early(job) || emit_asks_first(job))
        text_print(out, "int orrery_ready = %s%s1; ", worth_text(job), readiness_text(job));
}

/* What the run is handed, and its call, with conditions in front. */
static const char *print_needed(const struct outline *job, struct text *out) {
    print_values(job, out);
    print_needs(job, out);
    emit_rows_print_open(job, out);
    emit_nan_print_start(job, out);
    print_env(job, out);
    return arena_printf(job->arena, "%s%s%s(&orrery_loop_%d, &orrery_env, orrery_count)",
                        emit_nan_known(job), emit_rows_known(job),
                        job->passes ? "orrery_run_later" : "orrery_run", job->number);
}

/* In front of the loop, which is not reached where the user's own words stand in its place. */
static const char *written_text(const struct outline *job) {
    const struct other_words *words = other_words_of(job->unit, job->loop);
    return words ? arena_printf(job->arena, "if (1) { %s} else ", words->written) : "";
}

static void print_marked(const struct outline *job, struct text *out) {
    bool early = emit_readiness_is_early(job);
    const char *run = print_needed(job, out);
    if (!emit_keeps_serial(job)) {
        text_print(out, "%s; ", run);
        print_results(job, out);
        print_uses(job, out);
        text_print(out, "}");
        return;
    }
    text_print(out, "if (%s%s == 0) { ", early ? "orrery_ready && " : readiness_text(job), run);
    print_results(job, out);
    text_print(out, "} else %s%s", written_text(job), emit_advice_text(job));
}

/* Run serially, the loop makes nothing ready, and the host compiler gives it the registers. */
static void print_asking(const struct outline *job, struct text *out) {
    text_print(out, job->runs_inside ? "if (orrery_ready) { "
                                     : "if (__builtin_expect(orrery_ready, 0)) { ");
    print_stand_ins(job, out);
    print_copies(job, false, out);
    const char *run = print_needed(job, out);
    text_print(out, "if (%s == 0) { ", run);
    print_results(job, out);
    text_print(out, "orrery_ready = 2; } } if (orrery_ready != 2) { %s%s", written_text(job),
               emit_advice_text(job));
}

const char *emit_call_text(const struct outline *job) {
    const struct loop *loop = job->loop;
    const struct variable *var = loop->variable;
    const char *upper = upper_text(job);
    struct text out;
    text_start(&out, job->arena);
    text_print(&out, "{ ");
    if (emit_is_moving(job))
        emit_moving_print_start(job, &out);
    else
        text_print(&out, "%s = %s; ", emit_declare_plain(job, var->type, "orrery_first"),
                   source_text(job, loop->lower));
    text_print(&out, "long orrery_count = %s; ", total_text(job, upper));
    if (emit_is_automatic(job) && !job->standalone)
        text_print(
            &out,
            "__attribute__((__cleanup__(orrery_worth_end))) struct orrery_trial orrery_trial; ");
    print_readiness(job, &out);
    if (emit_asks_first(job))
        print_asking(job, &out);
    else
        print_marked(job, &out);
    return out.bytes;
}
