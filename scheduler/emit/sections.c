/*
 * Loops that several ranks divide by what iterations touch: the function that says what they read
 * and write, access by access, in a wavefront part by part and at which positions.
 */
#include "scheduler/emit/print.h"
#include "scheduler/strategy/wavefront/wave.h"

#include <string.h>

/* One access, and that of it which is known before the loop runs (plan_section_of). `along`: the
 * loop whose values become one stretch of elements, -1: none. */
struct section {
    const struct outline *job;
    const struct access *whole, *access;
    int along;
};

static bool is_partly_known(const struct section *section) {
    return section->access->nsubs < section->whole->nsubs;
}

static const struct inner_loop *loop_at(const struct section *section, int at) {
    return &section->job->facts->inner[section->access->loops[at]];
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Loops by their numbers, so that no name of the user's can hide another. */
static const char *value_name(const struct outline *job, const struct symbol *symbol) {
    for (int l = 1; l < job->facts->ninner; ++l)
        if (job->facts->inner[l].symbol == symbol)
            return arena_printf(job->arena, "orrery_v%d", l);
    return "orrery_v0";
}

static const char *affine_text(const struct outline *job, const struct affine *affine) {
    const char *text = arena_printf(job->arena, "%ldL", affine->constant);
    for (int i = 0; i < affine->nterms; ++i) {
        const struct symbol *symbol = affine->terms[i].symbol;
        const char *value =
            symbol->kind == SYMBOL_LOOP ? value_name(job, symbol) : emit_expr(job, symbol->expr);
        text =
            arena_printf(job->arena, "%s + %ldL * (long)(%s)", text, affine->terms[i].coeff, value);
    }
    return text;
}

static long coefficient(const struct affine *affine, const struct symbol *symbol) {
    for (int i = 0; i < affine->nterms; ++i)
        if (affine->terms[i].symbol == symbol)
            return affine->terms[i].coeff;
    return 0;
}

/* Bytes from the row's beginning, or the array's, to the element. */
static const char *offset_text(const struct section *section) {
    const struct outline *job = section->job;
    const struct object *object = section->access->object;
    const char *text = object->origin_text ? emit_localize(job, object->origin_text) : "0";
    text = arena_printf(job->arena, "(long)(%s) + %ldL", text,
                        section->access->field_size >= 0 ? section->access->field_offset : 0L);
    for (int d = object->kind == OBJECT_ROWS; d < section->access->nsubs; ++d)
        text = arena_printf(job->arena, "%s + (%s) * (long)(%s)", text,
                            affine_text(job, &section->access->subs[d].value),
                            emit_localize(job, object->dims[d].stride_text));
    return text;
}

/* Bytes from one value of the loop's variable to the next. */
static const char *step_text(const struct section *section) {
    const struct outline *job = section->job;
    const struct object *object = section->access->object;
    const struct inner_loop *loop = loop_at(section, section->along);
    const char *text = "0L";
    for (int d = object->kind == OBJECT_ROWS; d < object->ndims; ++d) {
        long by = coefficient(&section->access->subs[d].value, loop->symbol) * loop->step;
        if (by)
            text = arena_printf(job->arena, "%s + %ldL * (long)(%s)", text, by,
                                emit_localize(job, object->dims[d].stride_text));
    }
    return text;
}

/* ---- one access ------------------------------------------------------------------------------ */

static bool leads_through_table(const struct section *section, int at) {
    const struct access *access = section->access;
    return access->object->kind == OBJECT_ROWS &&
           coefficient(&access->subs[0].value, loop_at(section, at)->symbol) != 0;
}

static int innermost_used(const struct section *section) {
    for (int l = section->access->nloops - 1; l >= 0 && !is_partly_known(section); --l)
        if (plan_uses_loop(section->job->facts, section->access, l))
            return leads_through_table(section, l) ? -1 : l;
    return -1;
}

/* Elements of which only the first subscripts are known: all that lie behind these. */
static const char *elements_text(const struct section *section, const char **step) {
    const struct outline *job = section->job;
    const struct object *object = section->access->object;
    const struct object_dim *dims = object->dims;
    *step = arena_printf(job->arena, "(long)(%s)",
                         emit_localize(job, dims[object->ndims - 1].stride_text));
    return arena_printf(job->arena, "(long)(%s) / %s",
                        emit_localize(job, dims[section->access->nsubs - 1].stride_text), *step);
}

/* Is it written whenever the loops around it run? */
static const char *how_text(const struct section *section) {
    const struct access *access = section->access;
    bool surely =
        (!access->conditional || access->either) && !access->domain && !is_partly_known(section);
    for (int l = 0; l < access->nloops; ++l)
        surely = surely && plan_loop_is_known(section->job->facts, access, l);
    if (access->write)
        return surely ? "ORRERY_WRITTEN" : "ORRERY_MAYBE_WRITTEN";
    if (wave_reads_behind(section->job->plan, section->whole))
        return surely ? "ORRERY_READ_BEHIND" : "ORRERY_MAYBE_READ_BEHIND";
    return surely ? "ORRERY_READ" : "ORRERY_MAYBE_READ";
}

/* The array, or the row behind a table. */
static const char *base_text(const struct section *section) {
    const struct outline *job = section->job;
    const struct object *object = section->access->object;
    return object->kind == OBJECT_ROWS
               ? arena_printf(job->arena, "orrery_out->row(orrery_out, %d, %s)",
                              emit_array_index(job, object),
                              affine_text(job, &section->access->subs[0].value))
               : arena_printf(job->arena, "(const char *)(%s)", emit_base_text(job, object));
}

static void print_call(const struct section *section, const char *count, struct text *out) {
    const struct access *access = section->access;
    const struct object *object = access->object;
    int array = emit_array_index(section->job, object);
    long size = access->field_size >= 0 ? access->field_size : object->element->size;
    const char *step = section->along < 0 ? "0L" : step_text(section);
    if (access->nsubs == (object->kind == OBJECT_ROWS) && is_partly_known(section)) {
        text_print(out, "orrery_out->all(orrery_out, %d, %s, %s);\n", array, base_text(section),
                   how_text(section));
        return;
    }
    if (is_partly_known(section))
        count = elements_text(section, &step);
    text_print(out, "orrery_section(orrery_out, %d, %s,\n                %s, %s, %s, %ldUL, %s);\n",
               array, base_text(section), offset_text(section), step, count, size,
               how_text(section));
}

/* Where a bound is below zero, which is a large number, the loop is empty and not so elsewhere. */
static void print_bend(const struct inner_loop *loop, const struct outline *job, struct text *out) {
    const char *low = affine_text(job, &loop->lower), *high = affine_text(job, &loop->upper);
    if (emit_loop_first(job, loop->loop, low) != low)
        text_print(out, "if ((%s) < 0) orrery_out->bent(orrery_out);\n", low);
    if (emit_loop_last(job, loop->loop, high) != high)
        text_print(out, "if ((%s) <= 0) orrery_out->bent(orrery_out);\n", high);
}

/* Loops whose values do not matter have to run at all. */
static void print_nest(const struct section *section, int at, struct text *out) {
    const struct outline *job = section->job;
    const struct access *access = section->access;
    if (at == access->nloops) {
        print_call(section, "1L", out);
        return;
    }
    const struct inner_loop *loop = loop_at(section, at);
    bool used = plan_uses_loop(job->facts, access, at);
    if (!used && !plan_loop_is_known(job->facts, access, at)) {
        print_nest(section, at + 1, out);
        return;
    }
    const char *low = emit_loop_first(job, loop->loop, affine_text(job, &loop->lower));
    const char *high = emit_loop_last(job, loop->loop, affine_text(job, &loop->upper));
    const char *until = loop->step > 0 ? "<=" : ">=";
    const char *name = value_name(job, loop->symbol);
    print_bend(loop, job, out);
    if (!used || at == section->along)
        text_print(out, "{ if ((%s) %s (%s)) {\nconst long %s = %s; (void)%s;\n", low, until, high,
                   name, low, name);
    else
        text_print(out, "{ long %s = %s;\nfor (; %s %s (%s); %s += %ldL) {\n", name, low, name,
                   until, high, name, loop->step);
    if (at == section->along)
        print_call(section,
                   arena_printf(job->arena, "((%s) - (%s)) / %ldL + 1", high, name, loop->step),
                   out);
    else
        print_nest(section, at + 1, out);
    text_print(out, "} }\n");
}

/* In the loop that is cut: its piece is known already. */
static void print_in_loop(const struct section *section, struct text *out) {
    const struct inner_loop *loop = loop_at(section, 0);
    const char *name = value_name(section->job, loop->symbol);
    bool used = plan_uses_loop(section->job->facts, section->access, 0);
    const char *count =
        arena_printf(section->job->arena, "(orrery_last - orrery_first) / %ldL + 1", loop->step);
    if (!used || section->along == 0)
        text_print(out, "{ {\nconst long %s = orrery_first; (void)%s;\n", name, name);
    else
        text_print(out, "{ long %s = orrery_first;\nfor (; %s %s orrery_last; %s += %ldL) {\n",
                   name, name, loop->step > 0 ? "<=" : ">=", name, loop->step);
    if (section->along == 0)
        print_call(section, count, out);
    else
        print_nest(section, 1, out);
    text_print(out, "} }\n");
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool is_ours(const struct outline *job, const struct access *access) {
    int array = emit_array_index(job, access->object);
    return array >= 0 && job->arrays[array]->placement == PLACE_RESIDENT;
}

static bool is_said(int nsaid, const char **said, const char *text) {
    for (int i = 0; i < nsaid; ++i)
        if (strcmp(said[i], text) == 0)
            return true;
    return false;
}

/* Every access of the part once, or of the loop, however often the text makes it. */
static void print_accesses(const struct outline *job, int part, struct text *out) {
    const struct plan_wave *wave = job->plan->wave;
    const char **said = arena_alloc(job->arena, (size_t)(job->facts->naccesses + 1) * sizeof *said);
    int nsaid = 0;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        if (!is_ours(job, access) || (wave && plan_part_of(wave, access) != part))
            continue;
        struct access known;
        struct section section = {job, access, &known, -1};
        struct text text;
        plan_section_of(wave, job->facts, access, &known);
        text_start(&text, job->arena);
        section.along = innermost_used(&section);
        if (wave && wave->parts[part].kind == WAVE_LOOP)
            print_in_loop(&section, &text);
        else
            print_nest(&section, 0, &text);
        if (is_said(nsaid, said, text.bytes))
            continue;
        said[nsaid++] = text.bytes;
        text_print(out, "%s", text.bytes);
    }
}

static void print_loop_part(const struct outline *job, int number, struct text *out) {
    const struct wave_part *part = &job->plan->wave->parts[number];
    const struct inner_loop *loop = part->loop;
    print_bend(loop, job, out);
    text_print(out,
               "{\nconst long orrery_first = orrery_enter(%s, %ldL, %s),\n"
               "    orrery_last = orrery_sooner(%s, %s, %ldL);\n"
               "orrery_out->part(orrery_out, orrery_first, orrery_last);\n"
               "if (orrery_first %s orrery_last) {\n",
               emit_loop_first(job, loop->loop, affine_text(job, &loop->lower)), loop->step,
               emit_wave_value(job, part, "orrery_from"),
               emit_loop_last(job, loop->loop, affine_text(job, &loop->upper)),
               emit_wave_value(job, part, "orrery_to - 1"), loop->step,
               loop->step > 0 ? "<=" : ">=");
    print_accesses(job, number, out);
    text_print(out, "}\n}\n");
}

static void print_statement_part(const struct outline *job, int number, struct text *out) {
    const struct wave_part *part = &job->plan->wave->parts[number];
    const struct affine *value = part->at_end ? &part->loop->upper : &part->loop->lower;
    text_print(out,
               "{\nconst long orrery_place = %s;\n"
               "orrery_out->part(orrery_out, orrery_place, orrery_place);\n"
               "if (orrery_from <= orrery_place && orrery_place < orrery_to) {\n",
               emit_wave_position(job, part, affine_text(job, value)));
    print_accesses(job, number, out);
    text_print(out, "}\n}\n");
}

void emit_sections_print(const struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    const struct plan_wave *wave = job->plan->wave;
    struct text lines;
    if (!emit_has_sections(job) || job->standalone)
        return;
    text_start(&lines, job->arena);
    if (!wave)
        print_accesses(job, 0, &lines);
    for (int i = 0; wave && i < wave->nparts; ++i)
        if (wave->parts[i].kind == WAVE_LOOP)
            print_loop_part(job, i, &lines);
        else if (wave->parts[i].kind == WAVE_STATEMENT)
            print_statement_part(job, i, &lines);
    text_print(out,
               "static void orrery_sections_%d(const void *orrery_e, long orrery_begin, long "
               "orrery_end,\n    long orrery_from, long orrery_to, struct orrery_sections "
               "*orrery_out) {\n    const struct orrery_env_%d *orrery_env = orrery_e;\n"
               "    long orrery_i;\n",
               job->number, job->number);
    emit_locals_print(job, lines.bytes, false, out);
    text_print(out,
               "    for (orrery_i = orrery_begin; orrery_i < orrery_end; ++orrery_i) {\n"
               "        %s = %s;\n        const long orrery_v0 = (long)%s;\n"
               "        (void)orrery_v0;\n%s    }\n}\n\n",
               emit_declare_plain(job, var->type, var->name),
               emit_variable_of(job, "orrery_env->orrery_lower", "orrery_i"), var->name,
               lines.bytes);
}

void emit_sections_table_print(const struct outline *job, struct text *out) {
    if (emit_has_sections(job) && !job->standalone)
        text_print(out, "    .sections = orrery_sections_%d,\n", job->number);
}
