/* Guards: what a run has to check, as a list and as functions of the environment. */
#include "scheduler/base/guard.h"
#include "scheduler/emit/print.h"

/* The values that a condition depends on, for the message. */
static void print_shown(const struct outline *job, int index, struct text *out) {
    const struct guard *guard = &job->facts->guards[index];
    struct text call, values;
    text_start(&call, job->arena);
    text_start(&values, job->arena);
    for (int i = 0; i < guard->nshown; ++i) {
        text_print(&call, "%s%s = %%ld", i ? ", " : "", text_escape(job->arena, guard->shown[i]));
        text_print(&values, ", (long)(%s)", emit_localize(job, guard->shown[i]));
    }
    text_print(out,
               "static void orrery_show_%d_%d(const void *orrery_e, char *orrery_text, "
               "unsigned long orrery_size) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, index, job->number);
    emit_locals_print(job, values.bytes, false, out);
    text_print(out,
               "    (void)orrery_env;\n    orrery_format(orrery_text, orrery_size, \"%s\"%s);\n"
               "}\n\n",
               call.bytes, values.bytes);
}

/* In runs that do not need it, it holds. */
static const char *needed_text(const struct outline *job, const struct guard *guard) {
    const char *text = emit_localize(job, guard->text);
    return guard->when
               ? arena_printf(job->arena, "!(%s) || (%s)", emit_expr(job, guard->when), text)
               : text;
}

/* Conditions become functions of the environment. */
static void print_condition(const struct outline *job, int index, struct text *out) {
    if (job->facts->guards[index].nshown && !job->standalone)
        print_shown(job, index, out);
    const char *text = needed_text(job, &job->facts->guards[index]);
    text_print(out,
               "static int orrery_holds_%d_%d(const void *orrery_e) {\n"
               "    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, index, job->number);
    emit_locals_print(job, text, false, out);
    text_print(out, "    (void)orrery_env;\n    return !!(%s);\n}\n\n", text);
}

/* Those about single iterations become one function of the environment and the iteration. */
static void print_key_ranges(const struct outline *job, struct text *out) {
    struct text cases;
    int place = 0;
    text_start(&cases, job->arena);
    for (int i = 0; i < job->facts->nguards; ++i) {
        const struct guard *guard = &job->facts->guards[i];
        bool repeated = emit_guard_is_repeated(job->facts, i);
        if (guard->kind == GUARD_KEY_RANGE && !repeated)
            text_print(&cases, "    case %d:\n        return !!(%s);\n", place,
                       needed_text(job, guard));
        place += !repeated;
    }
    text_print(out,
               "static int orrery_holds_at_%d(const void *orrery_e, long orrery_i, int orrery_g) "
               "{\n    const struct orrery_env_%d *orrery_env = orrery_e;\n",
               job->number, job->number);
    const char *body = arena_printf(
        job->arena, "%s    switch (orrery_g) {\n%s    default:\n        return 1;\n    }\n",
        emit_variables_text(job, "orrery_env->orrery_lower", "orrery_i", "    "), cases.bytes);
    emit_locals_print(job, body, false, out);
    text_print(out, "%s}\n\n", body);
}

static const char *guard_name(enum guard_kind kind) {
    static const char *const names[] = {[GUARD_NO_OVERLAP] = "ORRERY_NO_OVERLAP",
                                        [GUARD_ROWS_DISJOINT] = "ORRERY_ROWS_DISJOINT",
                                        [GUARD_KEY_RANGE] = "ORRERY_KEY_RANGE",
                                        [GUARD_CONDITION] = "ORRERY_CONDITION",
                                        [GUARD_APART] = "ORRERY_APART",
                                        [GUARD_TABLES] = "ORRERY_TABLES",
                                        [GUARD_MONOTONE] = "ORRERY_MONOTONE",
                                        [GUARD_INJECTIVE] = "ORRERY_INJECTIVE",
                                        [GUARD_EMPTY] = "ORRERY_EMPTY"};
    return names[kind];
}

static void print_guard(const struct outline *job, int index, struct text *out) {
    const struct guard *guard = &job->facts->guards[index];
    const char *holds = guard->kind == GUARD_CONDITION
                            ? arena_printf(job->arena, "orrery_holds_%d_%d", job->number, index)
                            : "0";
    const char *show =
        guard->nshown ? arena_printf(job->arena, "orrery_show_%d_%d", job->number, index) : "0";
    if (job->standalone) {
        text_print(out, "    {%s, %d, %d, \"%s\", %s},\n", guard_name(guard->kind),
                   guard->a ? emit_array_index(job, guard->a) : -1,
                   guard->b ? emit_array_index(job, guard->b) : -1,
                   text_escape(job->arena, guard->text), holds);
        return;
    }
    text_print(out, "    {%s, %d, %d, \"%s\", %d, %s, %s},\n", guard_name(guard->kind),
               guard->a ? emit_array_index(job, guard->a) : -1,
               guard->b ? emit_array_index(job, guard->b) : -1,
               text_escape(job->arena, guard->text), guard->assumed, holds, show);
}

int emit_guards_print(const struct outline *job, struct text *out) {
    int count = 0;
    struct text list;
    text_start(&list, job->arena);
    for (int i = 0; i < job->facts->nguards; ++i) {
        if (emit_guard_is_repeated(job->facts, i))
            continue;
        if (job->facts->guards[i].kind == GUARD_CONDITION)
            print_condition(job, i, out);
        print_guard(job, i, &list);
        ++count;
    }
    if (emit_has_key_ranges(job))
        print_key_ranges(job, out);
    emit_intervals_print(job, out);
    if (count)
        text_print(out, "static const struct orrery_guard orrery_guards_%d[] = {\n%s};\n\n",
                   job->number, list.bytes);
    return count;
}
