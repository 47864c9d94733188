/* What relax() and buffer() name:
 * marks and updates in the body, the user's function (relaxed.md). */
#include "scheduler/emit/print.h"

#include <string.h>

/* ---- writes in the body ---------------------------------------------------------------------- */

void emit_merged_print_locals(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (r && r->marked)
            text_print(out,
                       "    const char *const orrery_base_%d = orrery_b->accumulators[%d];\n"
                       "    _Bool *const orrery_marks_%d = orrery_b->marks[%d];\n",
                       j, j, j, j);
        if (r && r->op == REDUCE_BUFFER)
            text_print(out,
                       "    const long orrery_shift_%d = (long)((__UINTPTR_TYPE__)orrery_b->"
                       "accumulators[%d] - (__UINTPTR_TYPE__)orrery_b->snapshots[%d]);\n",
                       j, j, j);
    }
}

/* ---- the user's function --------------------------------------------------------------------- */

static void print_prototype(const struct outline *job, const struct function *f, struct text *out) {
    text_print(out, "%s%s(", f->is_static ? "static " : "",
               emit_declare_plain(job, f->result, f->name));
    for (int i = 0; i < f->nparams; ++i)
        text_print(out, "%s%s", i ? ", " : "", emit_declare_plain(job, f->params[i]->type, ""));
    text_print(out, ");\n");
}

static void print_besides(const struct outline *job, int j, struct text *out) {
    const struct emit_reduction *made = &job->reductions[j];
    if (made->nbesides)
        text_print(out, "static const struct orrery_beside orrery_besides_%d_%d[] = {\n",
                   job->number, j);
    for (int i = 0; i < made->nbesides; ++i) {
        const struct variable *var = made->besides[i];
        bool array = var->type->kind == TYPE_ARRAY;
        text_print(out, "    {\"%s\", %s%s, %s%s, sizeof(%s[0])},\n", var->name,
                   array ? "0" : "(char *const *)(const void *)&", array ? "" : var->name,
                   array ? "(const char *)" : "0", array ? var->name : "", var->name);
    }
    text_print(out, "%s", made->nbesides ? "};\n\n" : "");
}

static void print_apply(const struct outline *job, int j, struct text *out) {
    const struct reduction *r = emit_merged_at(job, j);
    const char *type = emit_type_plain(job, r->type);
    text_print(out,
               "static void orrery_apply_%d_%d(void *orrery_x, const void *orrery_u, long "
               "orrery_i) {\n    %s((%s *)orrery_x, *(const %s *)orrery_u, (%s)orrery_i);\n}\n\n",
               job->number, j, r->apply->name, type, type,
               emit_type_plain(job, r->apply->params[2]->type));
}

static long most_of(const struct type *type) {
    return type->size == 8 ? 0x7fffffffffffffffL : type->is_signed ? 0x7fffffffL : 0xffffffffL;
}

static const char *rule_of(const struct reduction *r) {
    return r->rule == RELAX_SCALE     ? "ORRERY_RULE_SCALE"
           : r->rule == RELAX_AVERAGE ? "ORRERY_RULE_AVERAGE"
                                      : "ORRERY_RULE_ADD";
}

static void print_merging(const struct outline *job, int j, struct text *out) {
    const struct reduction *r = emit_merged_at(job, j);
    if (r->op == REDUCE_RELAX) {
        text_print(out, "    {%d, %d, 0, 0, 0, 0, %d, %s},\n", j, r->marked,
                   emit_serve_touch(job, j), rule_of(r));
        return;
    }
    int count = job->reductions[j].nbesides;
    text_print(out, "    {%d, %d, orrery_apply_%d_%d, %ldL, %d, %s, %d, ORRERY_RULE_ADD},\n", j,
               r->marked, job->number, j, most_of(r->apply->params[2]->type), count,
               count ? arena_printf(job->arena, "orrery_besides_%d_%d", job->number, j) : "0",
               emit_serve_touch(job, j));
}

/* What the table says of them. */
static void print_mergings(const struct outline *job, struct text *out) {
    bool open = false;
    for (int j = 0; j < job->nreductions; ++j) {
        if (!emit_merged_at(job, j))
            continue;
        if (!open)
            text_print(out, "static const struct orrery_merging orrery_mergings_%d[] = {\n",
                       job->number);
        open = true;
        print_merging(job, j, out);
    }
    text_print(out, "%s", open ? "};\n\n" : "");
}

void emit_merged_print_apply(const struct outline *job, int j, struct text *out) {
    print_prototype(job, emit_merged_at(job, j)->apply, out);
    print_apply(job, j, out);
}

void emit_merged_print_functions(const struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = emit_merged_at(job, j);
        if (r && r->op == REDUCE_BUFFER) {
            print_besides(job, j, out);
            emit_merged_print_apply(job, j, out);
        }
    }
    print_mergings(job, out);
}

void emit_merged_print_members(const struct outline *job, struct text *out) {
    const struct pragma *pragma = job->loop->pragma;
    int count = 0;
    for (int j = 0; j < job->nreductions; ++j)
        count += emit_merged_at(job, j) != NULL;
    if (count)
        text_print(out, "    .nmergings = %d,\n    .mergings = orrery_mergings_%d,\n", count,
                   job->number);
    for (int i = 0; count && pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        if (clause->kind == CLAUSE_SYNC)
            text_print(out, "    .sync_%s = %ld,\n", clause->names[0], clause->number);
    }
}
