/* What relax() and buffer() name:
 * marks and updates in the body, the user's function (relaxed.md). */
#include "scheduler/outline/outline.h"

#include <string.h>

static const struct reduction *reduction_at(const struct outline *job, int j) {
    int index = job->reductions[j].facts_index;
    const struct reduction *r = index < 0 ? NULL : &job->facts->reductions[index];
    return r && reduction_is_merged(r) ? r : NULL;
}

/* ---- writes in the body ---------------------------------------------------------------------- */

/* `(*(float *)orrery_mark(orrery_update(&(` w[j] `), shift), base, marks))` */
static void lead_write(struct outline *job, int j, const struct range *range) {
    const struct reduction *r = reduction_at(job, j);
    bool buffered = r->op == REDUCE_BUFFER;
    struct text_edits *leads = &job->reductions[j].leads;
    const char *type = emit_type_plain(job, r->type);
    text_edit_add(leads, range->begin.offset, range->begin.offset,
                  arena_printf(job->arena, "(*(%s *)%s%s&(", type, r->marked ? "orrery_mark(" : "",
                               buffered ? "orrery_update(" : ""));
    const char *end = ")";
    if (buffered)
        end = arena_printf(job->arena, "%s, orrery_shift_%d)", end, j);
    if (r->marked)
        end = arena_printf(job->arena, "%s, orrery_base_%d, orrery_marks_%d)", end, j, j);
    text_edit_add(leads, range->end.offset, range->end.offset,
                  arena_printf(job->arena, "%s)", end));
}

static bool is_seen(const struct outline *job, int upto, const struct access *access) {
    for (int i = 0; i < upto; ++i) {
        const struct access *other = &job->facts->accesses[i];
        if (other->object == access->object && other->write && other->expr == access->expr)
            return true;
    }
    return false;
}

bool emit_merged_collect(struct outline *job, int index) {
    const struct reduction *r = &job->facts->reductions[index];
    job->reductions[job->nreductions - 1].leads.arena = job->arena;
    for (int i = 0; i < job->facts->naccesses; ++i) {
        const struct access *access = &job->facts->accesses[i];
        bool leads = access->object == r->object && access->write && !is_seen(job, i, access);
        if (leads && (r->marked || r->op == REDUCE_BUFFER))
            lead_write(job, job->nreductions - 1, &access->expr->range);
    }
    return true;
}

void emit_merged_print_locals(struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = reduction_at(job, j);
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

/* Arrays of the file of which a function touches the element that it is called for. */
struct besides {
    struct outline *job;
    const struct function *function;
    int count;
    const struct variable **items;
};

static void see_beside(void *data, struct expr *e, struct expr *parent) {
    struct besides *besides = data;
    const struct expr *array, *index;
    (void)parent;
    if (!expr_is_element(e, &array, &index) || array->kind != EXPR_VAR || array->var->function)
        return;
    for (int i = 0; i < besides->count; ++i)
        if (besides->items[i] == array->var)
            return;
    ARENA_PUSH(besides->job->arena, besides->items, besides->count, array->var);
}

static struct besides besides_of(struct outline *job, const struct function *function) {
    struct besides besides = {.job = job, .function = function};
    emit_walk_stmt(function->body, see_beside, &besides);
    return besides;
}

/* The functions stand in front of the enclosing one, and name the arrays. */
bool emit_merged_check(struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = reduction_at(job, j);
        if (!r || r->op != REDUCE_BUFFER)
            continue;
        size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
        struct besides besides = besides_of(job, r->apply);
        for (int i = 0; i < besides.count; ++i) {
            const struct variable *var = besides.items[i];
            if (var->range.begin.file == job->unit->main_file && var->range.begin.offset >= at)
                return emit_refuse(
                    job, ORR2311, var->range,
                    "the loop stays serial: `%s` has to be declared in front of `%s`", var->name,
                    job->loop->function->name);
        }
    }
    return true;
}

static void print_prototype(struct outline *job, const struct function *f, struct text *out) {
    text_print(out, "%s%s(", f->is_static ? "static " : "",
               emit_declare_plain(job, f->result, f->name));
    for (int i = 0; i < f->nparams; ++i)
        text_print(out, "%s%s", i ? ", " : "", emit_declare_plain(job, f->params[i]->type, ""));
    text_print(out, ");\n");
}

static void print_besides(struct outline *job, int j, const struct function *f, struct text *out) {
    struct besides besides = besides_of(job, f);
    if (besides.count)
        text_print(out, "static const struct orrery_beside orrery_besides_%d_%d[] = {\n",
                   job->number, j);
    for (int i = 0; i < besides.count; ++i) {
        const struct variable *var = besides.items[i];
        bool array = var->type->kind == TYPE_ARRAY;
        text_print(out, "    {\"%s\", %s%s, %s%s, sizeof(%s[0])},\n", var->name,
                   array ? "0" : "(char *const *)(const void *)&", array ? "" : var->name,
                   array ? "(const char *)" : "0", array ? var->name : "", var->name);
    }
    text_print(out, "%s", besides.count ? "};\n\n" : "");
}

static void print_apply(struct outline *job, int j, struct text *out) {
    const struct reduction *r = reduction_at(job, j);
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

static void print_merging(struct outline *job, int j, struct text *out) {
    const struct reduction *r = reduction_at(job, j);
    if (r->op == REDUCE_RELAX) {
        text_print(out, "    {%d, %d, 0, 0, 0, 0, %d},\n", j, r->marked, emit_serve_touch(job, j));
        return;
    }
    int count = besides_of(job, r->apply).count;
    text_print(out, "    {%d, %d, orrery_apply_%d_%d, %ldL, %d, %s, %d},\n", j, r->marked,
               job->number, j, most_of(r->apply->params[2]->type), count,
               count ? arena_printf(job->arena, "orrery_besides_%d_%d", job->number, j) : "0",
               emit_serve_touch(job, j));
}

/* What the table says of them. */
static void print_mergings(struct outline *job, struct text *out) {
    bool open = false;
    for (int j = 0; j < job->nreductions; ++j) {
        if (!reduction_at(job, j))
            continue;
        if (!open)
            text_print(out, "static const struct orrery_merging orrery_mergings_%d[] = {\n",
                       job->number);
        open = true;
        print_merging(job, j, out);
    }
    text_print(out, "%s", open ? "};\n\n" : "");
}

void emit_merged_print_functions(struct outline *job, struct text *out) {
    for (int j = 0; j < job->nreductions; ++j) {
        const struct reduction *r = reduction_at(job, j);
        if (r && r->op == REDUCE_BUFFER) {
            print_besides(job, j, r->apply, out);
            print_prototype(job, r->apply, out);
            print_apply(job, j, out);
        }
    }
    print_mergings(job, out);
}

void emit_merged_print_members(struct outline *job, struct text *out) {
    const struct pragma *pragma = job->loop->pragma;
    int count = 0;
    for (int j = 0; j < job->nreductions; ++j)
        count += reduction_at(job, j) != NULL;
    if (count)
        text_print(out, "    .nmergings = %d,\n    .mergings = orrery_mergings_%d,\n", count,
                   job->number);
    for (int i = 0; count && pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        if (clause->kind == CLAUSE_SYNC)
            text_print(out, "    .sync_%s = %ld,\n", clause->names[0], clause->number);
    }
}
