/* Plans -> C text: one job per loop, then one list of edits over the source file. */
#include "scheduler/emit/job.h"
#include "scheduler/gpu/gpu.h"
#include "scheduler/heads/heads.h"
#include "scheduler/plan/parts.h"

#include <stdlib.h>
#include <string.h>

struct emission {
    struct unit *unit;
    const struct emit_options *options;
    struct diag_list *diags;
    const struct source_file *file;
    struct text_edits edits;
    struct text kernels;
    int njobs;
    struct emit_job **jobs;
    struct heads heads;
};

/* ---- #line ----------------------------------------------------------------------------------- */

/* The user's own #line holds behind ours. */
void emit_line_user(struct emit_job *job, int line, struct text *out) {
    const struct unit *unit = job->unit;
    const struct line_mark *last = NULL;
    for (int i = 0; i < unit->nline_marks && unit->line_marks[i].line <= line; ++i)
        last = &unit->line_marks[i];
    if (job->options->line_directives)
        text_print(out, "#line %d \"%s\"\n", last ? last->number + line - last->line : line,
                   last ? text_escape(job->arena, last->file) : job->file);
}

void emit_line_chunk(struct emit_job *job, struct text *out) {
    if (job->options->line_directives)
        text_print(out, "#line %d \"%s\"\n", out->lines + 1, job->chunk_file);
}

static int line_at(const char *source, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset; ++i)
        line += source[i] == '\n';
    return line;
}

/* ---- one loop -------------------------------------------------------------------------------- */

static struct emit_job *job_new(struct emission *emission, struct plan *plan) {
    struct arena *arena = emission->unit->arena;
    struct emit_job *job = arena_alloc(arena, sizeof *job);
    *job = (struct emit_job){
        .arena = arena,
        .unit = emission->unit,
        .plan = plan,
        .facts = plan->analysis->facts,
        .loop = plan->analysis->loop,
        .options = emission->options,
        .diags = emission->diags,
        .source = emission->file->text,
        .file = text_escape(arena, emission->file->name),
        .number = plan->analysis->loop->id,
        .sites = {.arena = arena},
        .renames = {.arena = arena},
    };
    job->chunk_file = arena_printf(arena, "<orrery loop %d>", job->number);
    job->kernel_name = plan->gpu ? gpu_kernel_name(job) : NULL;
    job->passes = plan->gpu ? NULL : emit_passes(job);
    return job;
}

/* What the loop's functions need. False: refused, and said so. */
static bool job_prepare(struct emit_job *job) {
    return emit_check_place(job) && emit_front_check(job) && emit_moving_check(job) &&
           emit_reductions_collect(job) && emit_rerun_check(job) && emit_env_collect(job) &&
           emit_lists_collect(job) && emit_record_collect(job) && emit_arrays_collect(job) &&
           emit_guards_check(job) && emit_merged_check(job) && emit_hidden_check(job) &&
           emit_check_body(job) && emit_call_check(job) && emit_wave_check(job) &&
           emit_pipe_check(job);
}

static bool print_functions(struct emit_job *job, struct text *out, struct text *kernel) {
    if (job->kernel_name && !gpu_kernel_print(job, kernel))
        return false;
    emit_line_chunk(job, out);
    text_print(out, "/* Orrery: the loop in line %d of %s */\nORRERY_QUIET_BEGIN\n",
               job->loop->header.begin.line, job->loop->function->name);
    emit_env_print(job, out);
    if (job->plan->by_key) {
        emit_record_print(job, out);
        emit_gather_print(job, out);
    }
    emit_lists_print(job, out);
    emit_weigh_print(job, out);
    emit_shapes_print(job, out);
    emit_wave_print(job, out);
    emit_pipe_print(job, out);
    text_print(out, "ORRERY_WARNINGS_END\nORRERY_BODY_BEGIN\n");
    bool ok = emit_body_print(job, out);
    text_print(out, "ORRERY_WARNINGS_END\nORRERY_QUIET_BEGIN\n");
    emit_block_print(job, !job->plan->pipe && emit_jam_print(job, out), out);
    ok &= emit_serve_print(job, out);
    ok &= emit_serial_print(job, out);
    emit_merged_print_functions(job, out);
    emit_tables_print(job, out);
    text_print(out, "ORRERY_WARNINGS_END\n");
    if (ok && !emit_hidden_words(job, out->bytes))
        return false;
    return ok || emit_refuse(job, ORR2309, job->loop->header,
                             "the loop stays serial: the parts of its text that would have to be "
                             "replaced overlap");
}

/* ---- edits ----------------------------------------------------------------------------------- */

/* The functions in front of the enclosing one, then back to the user's line. */
static void edit_functions(struct emission *emission, struct emit_job *job, struct text *chunk) {
    size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
    struct text out;
    text_start(&out, job->arena);
    if (at > 0 && job->source[at - 1] != '\n')
        text_print(&out, "\n");
    text_append(&out, chunk->bytes, chunk->length);
    emit_line_user(job, line_at(job->source, at), &out);
    text_edit_add(&emission->edits, at, at, out.bytes);
}

/* Text behind the loop is back on its line. */
static void edit_loop(struct emission *emission, struct emit_job *job) {
    const struct range *loop = &job->loop->stmt->range;
    const char *call = emit_call_text(job);
    struct text out;
    if (emit_keeps_serial(job)) {
        text_edit_add(&emission->edits, loop->begin.offset, loop->begin.offset, call);
        text_edit_add(&emission->edits, loop->end.offset, loop->end.offset,
                      emit_is_automatic(job) ? " } }" : " }");
        return;
    }
    text_start(&out, job->arena);
    text_print(&out, "%s", call);
    if (job->options->line_directives && loop->end.line > loop->begin.line + 3) {
        text_print(&out, "\n");
        emit_line_user(job, loop->end.line, &out);
    } else {
        for (int line = loop->begin.line; line < loop->end.line; ++line)
            text_print(&out, "\n");
    }
    text_edit_add(&emission->edits, loop->begin.offset, loop->end.offset, out.bytes);
}

static void edit_once(struct text_edits *edits, struct token token) {
    for (int i = 0; i < edits->count; ++i)
        if (edits->items[i].begin == token.begin && edits->items[i].end == token.end)
            return;
    text_edit_add(edits, token.begin, token.end, "");
}

/* The last `register` of the declaration that `var` stands in. */
static void edit_declaration(struct emission *emission, const struct emit_job *job,
                             const struct variable *var) {
    size_t begin = job->loop->function->range.begin.offset;
    struct token found = {.kind = TOKEN_END};
    if (var->function != job->loop->function ||
        var->range.begin.file != emission->unit->main_file || var->range.end.offset <= begin)
        return;
    struct token_scan scan = token_scan_start(job->source, begin, var->range.end.offset);
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan)) {
        bool ends = token_spells(&scan, t, ";") || token_spells(&scan, t, "{") ||
                    token_spells(&scan, t, "}");
        if (ends)
            found.kind = TOKEN_END;
        else if (token_spells(&scan, t, "register"))
            found = t;
    }
    if (found.kind != TOKEN_END)
        edit_once(&emission->edits, found);
}

/* The call takes addresses, which variables declared `register` do not have. */
static void edit_registers(struct emission *emission, struct emit_job *job) {
    const char *call = emit_call_text(job);
    for (int i = 0; i < job->facts->ncaptures + job->facts->nprivates; ++i) {
        const struct variable *var = i < job->facts->ncaptures
                                         ? job->facts->captures[i].var
                                         : job->facts->privates[i - job->facts->ncaptures].var;
        if (strstr(call, arena_printf(job->arena, "&%s", var->name)))
            edit_declaration(emission, job, var);
    }
    for (int j = 0; job->passes && j < job->nreductions; ++j)
        if (job->reductions[j].var)
            edit_declaration(emission, job, job->reductions[j].var);
}

/* The directive has been obeyed: nothing is left for the compiler to warn about. */
static void edit_pragma(struct emission *emission, const struct loop *loop, bool in_body,
                        struct text_edits *edits) {
    const struct pragma *pragma = loop->pragma;
    if (!pragma || pragma->range.begin.file != emission->unit->main_file)
        return;
    const char *source = emission->file->text;
    size_t begin = pragma->range.begin.offset, end = pragma->range.end.offset;
    struct text out;
    text_start(&out, emission->unit->arena);
    for (size_t i = begin; i < end && !in_body; ++i)
        if (source[i] == '\n')
            text_append(&out, "\n", 1);
    text_edit_add(edits, begin, end, out.bytes);
}

static bool is_inside(const struct loop *around, const struct loop *loop) {
    const struct range *outer = &around->stmt->range, *inner = &loop->stmt->range;
    return inner->begin.file == outer->begin.file && inner->begin.offset > outer->begin.offset &&
           inner->end.offset <= outer->end.offset;
}

static struct emit_job *outer_job(const struct emission *emission, const struct loop *loop) {
    for (int i = 0; i < emission->njobs; ++i)
        if (is_inside(emission->jobs[i]->loop, loop))
            return emission->jobs[i];
    return NULL;
}

/* Of the loops that are marked only the outermost is cut out. */
static bool emit_refuse_inner(struct emit_job *job, const struct loop *around) {
    emit_refuse(job, ORR2312, job->loop->header,
                "the loop stays serial: the loop around it in line %d runs in parallel",
                around->header.begin.line);
    emit_refuse_fix(job, "take the mark away from one of the two");
    return false;
}

static void inner_pragmas(struct emission *emission, struct emit_job *job) {
    for (int i = 0; i < emission->unit->nloops; ++i)
        if (is_inside(job->loop, emission->unit->loops[i]))
            edit_pragma(emission, emission->unit->loops[i], true, &job->renames);
}

static void emit_loop(struct emission *emission, struct plan *plan) {
    const struct emit_job *outer = outer_job(emission, plan->analysis->loop);
    struct emit_job *job = job_new(emission, plan);
    struct text chunk;
    if (outer) {
        emit_refuse_inner(job, outer->loop);
        return;
    }
    struct text kernel;
    text_start(&chunk, job->arena);
    text_start(&kernel, job->arena);
    if (!job_prepare(job))
        return;
    inner_pragmas(emission, job);
    if (!print_functions(job, &chunk, &kernel) || job->refused)
        return;
    text_append(&emission->kernels, kernel.bytes, kernel.length);
    edit_functions(emission, job, &chunk);
    edit_loop(emission, job);
    emit_advice_edit(job, &emission->edits);
    if (job->passes)
        emit_passes_edit(job, &emission->edits);
    edit_registers(emission, job);
    ARENA_PUSH(job->arena, emission->jobs, emission->njobs, job);
}

static int compare_plans(const void *a, const void *b) {
    const struct plan *const *x = a, *const *y = b;
    const struct loc *p = &(*x)->analysis->loop->stmt->range.begin;
    const struct loc *q = &(*y)->analysis->loop->stmt->range.begin;
    return p->offset < q->offset ? -1 : p->offset > q->offset;
}

static struct plan **sorted_plans(struct arena *arena, int nplans, struct plan **plans) {
    struct plan **sorted = arena_alloc(arena, (size_t)(nplans + 1) * sizeof *sorted);
    for (int i = 0; i < nplans; ++i)
        sorted[i] = plans[i];
    qsort(sorted, (size_t)nplans, sizeof *sorted, compare_plans);
    return sorted;
}

/* A marked loop around this one that is cut out, NULL: there is none. `plans`: settled so far as
 * they stand further out. */
static const struct loop *cut_around(const struct loop *loop, int nplans, struct plan **plans) {
    for (int i = 0; i < nplans && loop_is_marked(loop); ++i) {
        const struct loop *around = plans[i]->analysis->loop;
        if (plans[i]->strategy != STRATEGY_SERIAL && loop_is_marked(around) &&
            is_inside(around, loop))
            return around;
    }
    return NULL;
}

/* `around`: what cut_around found. */
static bool is_possible(struct unit *unit, struct plan *plan, const struct loop *around,
                        struct diag_list *diags) {
    const struct emit_options options = {.line_directives = true};
    struct emission emission = {.unit = unit,
                                .options = &options,
                                .diags = diags,
                                .file = &unit->files[unit->main_file],
                                .edits = {.arena = unit->arena}};
    struct text chunk, kernel;
    text_start(&chunk, unit->arena);
    text_start(&kernel, unit->arena);
    struct emit_job *job = job_new(&emission, plan);
    if (around)
        return emit_refuse_inner(job, around);
    return job_prepare(job) && print_functions(job, &chunk, &kernel) && !job->refused;
}

void emit_settle(struct unit *unit, int nplans, struct plan **plans) {
    struct plan **sorted = sorted_plans(unit->arena, nplans, plans);
    for (int i = 0; i < nplans; ++i) {
        struct diag_list diags = {.arena = unit->arena};
        const struct loop *around = cut_around(sorted[i]->analysis->loop, i, sorted);
        if (sorted[i]->strategy == STRATEGY_SERIAL || is_possible(unit, sorted[i], around, &diags))
            continue;
        const struct diag *reason = &diags.items[0];
        plan_make_serial(sorted[i], reason->code, reason->range, reason->message, reason->fix);
        sorted[i]->culprit = NULL;
        sorted[i]->within = around;
    }
}

/* False: the plan says that arrays are served, and the lists cannot be made. */
static bool lists_are_possible(struct unit *unit, struct plan *plan) {
    const struct emit_options options = {.line_directives = true};
    struct diag_list unsaid = {.arena = unit->arena};
    struct emission emission = {.unit = unit,
                                .options = &options,
                                .diags = &unsaid,
                                .file = &unit->files[unit->main_file],
                                .edits = {.arena = unit->arena}};
    struct emit_job *job = job_new(&emission, plan);
    return !emit_check_place(job) || !emit_moving_check(job) || !emit_reductions_collect(job) ||
           !emit_env_collect(job) || (emit_lists_collect(job) && plan_serves(plan));
}

void emit_settle_served(struct unit *unit, int nplans, struct plan **plans) {
    for (int i = 0; i < nplans; ++i) {
        struct loop_facts *facts = plans[i]->analysis->facts;
        if (!plan_serves(plans[i]) || lists_are_possible(unit, plans[i]))
            continue;
        for (int r = 0; r < facts->nreductions; ++r)
            facts->reductions[r].apart = false;
    }
}

/* ---- loops over passes ----------------------------------------------------------------------- */

/* All other edits are made. */
static void emit_heads(struct emission *emission) {
    struct arena *arena = emission->unit->arena;
    size_t n = (size_t)emission->njobs + 1;
    const struct loop **loops = arena_alloc(arena, n * sizeof *loops);
    struct head_pending *pending = arena_alloc(arena, n * sizeof *pending);
    for (int i = 0; i < emission->njobs; ++i) {
        loops[i] = emission->jobs[i]->loop;
        pending[i] = (struct head_pending){emission->jobs[i]->number, emission->jobs[i]->passes};
    }
    emission->heads = heads_find(emission->unit, emission->njobs, loops);
    heads_report(&emission->heads, emission->diags);
    heads_edit(emission->unit, &emission->heads, emission->njobs, pending, &emission->edits);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Behind a byte order mark, which may only stand at a file's start. */
static size_t start_of(const struct source_file *file) {
    return file->size >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* What ties this object to those whose functions were looked into (analyzer/join/join.h). */
static void print_needs(const struct unit *unit, struct text *out) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->origin && unit->functions[i]->symbol)
            text_print(out, "extern const char %s;\n", unit->functions[i]->symbol);
}

static void print_head(const struct emission *emission, struct text *out) {
    const char *name = text_escape(out->arena, emission->file->name);
    if (emission->njobs) {
        text_print(out, "/* Made by Orrery from %s: change that file, not this one. */\n", name);
        text_print(out, "#include \"orrery_run.h\"\nORRERY_OBJECT\n"
                        "#ifndef ORRERY_CONTRACTION\n#define ORRERY_CONTRACTION 1\n#endif\n"
                        "#ifdef __FAST_MATH__\n#undef ORRERY_CONTRACTION\n"
                        "#define ORRERY_CONTRACTION 1\n#endif\n");
        print_needs(emission->unit, out);
        heads_print(emission->unit, &emission->heads, out);
    }
    if (emission->options->line_directives)
        text_print(out, "#line 1 \"%s\"\n", name);
}

char *emit_unit(struct unit *unit, int nplans, struct plan **plans,
                const struct emit_options *options, struct diag_list *diags) {
    struct emission emission = {
        .unit = unit,
        .options = options,
        .diags = diags,
        .file = &unit->files[unit->main_file],
        .edits = {.arena = unit->arena},
    };
    struct plan **sorted = sorted_plans(unit->arena, nplans, plans);
    struct text out, kernels;
    text_start(&emission.kernels, unit->arena);
    for (int i = 0; i < nplans; ++i)
        if (sorted[i]->strategy != STRATEGY_SERIAL)
            emit_loop(&emission, sorted[i]);
    for (int i = 0; i < unit->nloops; ++i)
        edit_pragma(&emission, unit->loops[i], false, &emission.edits);
    emit_heads(&emission);
    text_start(&out, unit->arena);
    text_start(&kernels, unit->arena);
    gpu_head_print(unit, &kernels);
    text_append(&kernels, emission.kernels.bytes, emission.kernels.length);
    if (options->kernels)
        *options->kernels = emission.kernels.length ? kernels.bytes : NULL;
    if (options->parallel)
        *options->parallel = emission.njobs > 0;
    print_head(&emission, &out);
    text_edits_apply(&emission.edits, emission.file->text, start_of(emission.file),
                     emission.file->size, false, &out);
    return out.bytes;
}
