/*
 * Unroll-and-jam over iterations: statements stand UNROLL_COPIES times in a row; only loops that
 * carry a sum have their copies within one header (outline/unroll.c).
 */
#include "scheduler/emit/print.h"

static const char *copy_name(const struct outline *job, const char *name, int copy) {
    return copy ? arena_printf(job->arena, "orrery_%s_%d", name, copy) : name;
}

static bool is_unrolled(const struct emit_unroll *unroll, const struct stmt *stmt) {
    for (int i = 0; i < unroll->nunrolled; ++i)
        if (unroll->unrolled[i] == stmt)
            return true;
    return false;
}

/* Loads from the copy's record. */
static void site_edits(const struct outline *job, int copy, struct text_edits *all) {
    for (int i = 0; i < job->nslots; ++i) {
        const struct record_slot *slot = &job->slots[i];
        for (int s = 0; s < slot->load->nsites; ++s)
            text_edit_add(all, slot->load->sites[s].begin.offset, slot->load->sites[s].end.offset,
                          arena_printf(job->arena, "(orrery_r[%d].%s)", copy, slot->name));
    }
}

static struct text_edits copy_edits(const struct outline *job, int copy) {
    struct text_edits all = emit_body_edits(job, false, WHOLE);
    site_edits(job, copy, &all);
    for (int i = 0; copy && i < job->unroll->nuses; ++i)
        text_edit_add(&all, job->unroll->uses[i].begin, job->unroll->uses[i].end,
                      copy_name(job, job->unroll->uses[i].with, copy));
    return all;
}

static void print_copy(const struct outline *job, struct range range, int copy, struct text *out) {
    struct text_edits edits = copy_edits(job, copy);
    emit_line_user(job, range.begin.line, out);
    text_print(out, "%*s", range.begin.column - 1, "");
    text_edits_apply(&edits, job->source, range.begin.offset, range.end.offset, true, out);
}

static void print_copies(const struct outline *job, const struct stmt *stmt, struct text *out) {
    for (int copy = 0; copy < UNROLL_COPIES && stmt->kind != STMT_EMPTY; ++copy) {
        print_copy(job, stmt->range, copy, out);
        text_print(out, "\n");
    }
}

static void print_unrolled(const struct outline *job, const struct stmt *stmt, struct text *out) {
    if (!is_unrolled(job->unroll, stmt)) {
        print_copies(job, stmt, out);
        return;
    }
    for (int i = 0; stmt->kind == STMT_BLOCK && i < stmt->nbody; ++i)
        print_unrolled(job, stmt->body[i], out);
    if (stmt->kind == STMT_BLOCK)
        return;
    const struct stmt *then = stmt->kind == STMT_FOR ? stmt->loop->body : stmt->then;
    print_copy(job, (struct range){.begin = stmt->range.begin, .end = then->range.begin}, 0, out);
    text_print(out, " {\n");
    for (int copy = 1; stmt->kind == STMT_FOR && copy < UNROLL_COPIES; ++copy) {
        const struct variable *var = stmt->loop->variable;
        const char *name = copy_name(job, var->name, copy);
        text_print(out, "%s = %s;\n", emit_declare_plain(job, var->type, name), var->name);
    }
    print_unrolled(job, then, out);
    text_print(out, "}\n");
    if (stmt->kind == STMT_IF && stmt->other) {
        text_print(out, "else {\n");
        print_unrolled(job, stmt->other, out);
        text_print(out, "}\n");
    }
}

static void print_variables(const struct outline *job, struct text *out) {
    const struct variable *var = job->loop->variable;
    for (int copy = 0; copy < UNROLL_COPIES; ++copy) {
        const char *name = copy_name(job, var->name, copy);
        const char *index = job->plan->by_key ? arena_printf(job->arena, "orrery_r[%d].i", copy)
                                              : arena_printf(job->arena, "(orrery_i + %d)", copy);
        if (!job->plan->by_key || job->record_index)
            text_print(out, "            %s = %s;\n            (void)%s;\n",
                       emit_declare_plain(job, var->type, name),
                       emit_variable_of(job, "orrery_lower", index), name);
    }
    for (int i = 0; i < job->facts->nprivates; ++i) {
        const struct variable *private = job->facts->privates[i].var;
        for (int copy = 1; copy < UNROLL_COPIES; ++copy)
            if (private != var && emit_is_outside(job, private))
                text_print(
                    out, "            %s;\n",
                    emit_declare_plain(job, private->type, copy_name(job, private->name, copy)));
    }
}

static void print_group(const struct outline *job, struct text *out) {
    const char *distinct = job->unroll->distinct;
    text_print(out, "        if (orrery_i + %d <= orrery_end%s%s) {\n", UNROLL_COPIES,
               *distinct ? " &&\n            " : "", distinct);
    emit_prefetch_print(job, UNROLL_COPIES, out);
    print_variables(job, out);
    print_unrolled(job, job->loop->body, out);
    emit_line_chunk(job, out);
    text_print(out,
               "        } else {\n"
               "            struct orrery_block orrery_rest = *orrery_b;\n"
               "            orrery_rest.begin = orrery_i;\n"
               "            if (orrery_rest.end > orrery_i + %d)\n"
               "                orrery_rest.end = orrery_i + %d;\n",
               UNROLL_COPIES, UNROLL_COPIES);
    emit_results_print(job, out);
    emit_body_call_print(job, "body", "&orrery_rest", out);
    emit_accumulators_again(job, out);
    text_print(out, "        }\n");
}

void emit_unroll_print(const struct outline *job, struct text *out) {
    if (!job->unroll)
        return;
    text_print(out, "#ifdef ORRERY_JAM\n");
    emit_body_head_print(job, "unroll", out);
    text_print(out,
               "    for (orrery_i = orrery_b->begin; orrery_i < orrery_end; orrery_i += %d) {\n",
               UNROLL_COPIES);
    if (job->plan->by_key)
        text_print(out,
                   "        const struct orrery_record_%d *const orrery_r = "
                   "&orrery_records[orrery_i];\n",
                   job->number);
    print_group(job, out);
    text_print(out, "    }\n");
    emit_results_print(job, out);
    emit_body_end_print(job, "unroll", out);
    text_print(out, "#endif\n\n");
}
