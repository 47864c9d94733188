/* Plans -> C text: one job per loop, then one list of edits over the source file. */
#include "scheduler/emit/emit.h"
#include "scheduler/emit/print.h"
#include "scheduler/emit/standalone.h"
#include "scheduler/gpu/gpu.h"
#include "scheduler/points/points.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct emission {
    struct unit *unit;
    struct diag_list *diags;
    const struct source_file *file;
    struct text_edits edits;
    struct text kernels;
    int njobs;
    const struct outline **jobs;
    struct ckpt_points ckpt_points;
};

/* ---- #line ----------------------------------------------------------------------------------- */

/* The user's own #line holds behind ours. */
void emit_line_user(const struct outline *job, int line, struct text *out) {
    if (job->standalone)
        return;
    const struct unit *unit = job->unit;
    const struct line_mark *last = NULL;
    for (int i = 0; i < unit->nline_marks && unit->line_marks[i].line <= line; ++i)
        last = &unit->line_marks[i];
    const long number = last ? (long)last->number + line - last->line : line;
    text_print(out, "#line %ld \"%s\"\n", number < INT_MAX ? number : INT_MAX,
               last ? text_escape(job->arena, last->file) : job->file);
}

void emit_line_chunk(const struct outline *job, struct text *out) {
    if (job->standalone)
        return;
    text_print(out, "#line %d \"%s\"\n", out->lines + 1, job->chunk_file);
}

static int line_at(const char *source, size_t offset) {
    int line = 1;
    for (size_t i = 0; i < offset; ++i)
        line += source[i] == '\n';
    return line;
}

/* ---- one loop -------------------------------------------------------------------------------- */

void emit_functions(const struct outline *job, struct text *out) {
    emit_line_chunk(job, out);
    text_print(out, "/* Orrery: the loop in line %d of %s */\nORRERY_QUIET_BEGIN\n",
               job->loop->header.begin.line, job->loop->function->name);
    emit_env_print(job, out);
    if (job->plan->by_key) {
        emit_record_print(job, out);
        emit_gather_print(job, out);
        if (!job->standalone)
            emit_gathers_print(job, out);
    }
    emit_lists_print(job, out);
    emit_weigh_print(job, out);
    emit_shapes_print(job, out);
    emit_wave_print(job, out);
    emit_sections_print(job, out);
    emit_pipe_print(job, out);
    emit_ahead_print(job, out);
    text_print(out, "ORRERY_WARNINGS_END\nORRERY_BODY_BEGIN\n");
    emit_body_print(job, out);
    text_print(out, "ORRERY_WARNINGS_END\nORRERY_QUIET_BEGIN\n");
    emit_unroll_print(job, out);
    emit_block_print(job, out);
    if (job->standalone) {
        standalone_table_print(job, out);
    } else {
        emit_serve_print(job, out);
        emit_serial_print(job, out);
        emit_merged_print_functions(job, out);
        emit_tables_print(job, out);
    }
    text_print(out, "ORRERY_WARNINGS_END\n");
}

/* ---- edits ----------------------------------------------------------------------------------- */

/* The functions in front of the enclosing one, then back to the user's line. */
static void edit_functions(struct emission *emission, const struct outline *job) {
    size_t at = emit_insertion_point(job->unit, job->source, job->loop->function);
    struct text out, functions;
    text_start(&out, job->arena);
    text_start(&functions, job->arena);
    emit_functions(job, &functions);
    if (at > 0 && job->source[at - 1] != '\n')
        text_print(&out, "\n");
    text_append(&out, functions.bytes, functions.length);
    emit_line_user(job, line_at(job->source, at), &out);
    text_edit_add(&emission->edits, at, at, out.bytes);
}

/* Text behind the loop is back on its line. */
static void edit_loop(struct emission *emission, const struct outline *job) {
    const struct range *loop = &job->loop->stmt->range;
    const char *call = emit_call_text(job);
    struct text out;
    if (emit_keeps_serial(job)) {
        text_edit_add(&emission->edits, loop->begin.offset, loop->begin.offset, call);
        text_edit_add(&emission->edits, loop->end.offset, loop->end.offset,
                      emit_asks_first(job) ? " } }" : " }");
        return;
    }
    text_start(&out, job->arena);
    text_print(&out, "%s", call);
    if (job->standalone) {
        text_print(&out, "\n");
    } else if (loop->end.line > loop->begin.line + 3) {
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
static void edit_declaration(struct emission *emission, const struct outline *job,
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
static void edit_registers(struct emission *emission, const struct outline *job) {
    for (int i = 0; i < job->naddressed; ++i)
        edit_declaration(emission, job, job->addressed[i]);
    for (int j = 0; job->passes && j < job->nreductions; ++j)
        if (job->reductions[j].var)
            edit_declaration(emission, job, job->reductions[j].var);
}

/* The directive has been obeyed: nothing is left for the compiler to warn about. */
static void edit_pragma(const struct unit *unit, const struct loop *loop,
                        struct text_edits *edits) {
    const struct pragma *pragma = loop->pragma;
    if (!pragma || pragma->range.begin.file != unit->main_file)
        return;
    const char *source = unit->files[unit->main_file].text;
    size_t begin = pragma->range.begin.offset, end = pragma->range.end.offset;
    struct text out;
    text_start(&out, unit->arena);
    for (size_t i = begin; i < end; ++i)
        if (source[i] == '\n')
            text_append(&out, "\n", 1);
    text_edit_add(edits, begin, end, out.bytes);
}

static void emit_loop(struct emission *emission, const struct outline *job) {
    if (job->kernel)
        gpu_kernel_print(job->kernel, &emission->kernels);
    edit_functions(emission, job);
    edit_loop(emission, job);
    emit_advice_edit(job, &emission->edits);
    if (job->passes)
        emit_passes_edit(job, &emission->edits);
    edit_registers(emission, job);
}

/* ---- loops over passes ----------------------------------------------------------------------- */

/* All other edits are made. */
static void emit_ckpt_points(struct emission *emission) {
    struct arena *arena = emission->unit->arena;
    size_t n = (size_t)emission->njobs + 1;
    const struct loop **loops = arena_alloc(arena, n * sizeof *loops);
    struct ckpt_point_pending *pending = arena_alloc(arena, n * sizeof *pending);
    for (int i = 0; i < emission->njobs; ++i) {
        loops[i] = emission->jobs[i]->loop;
        pending[i] =
            (struct ckpt_point_pending){emission->jobs[i]->number, emission->jobs[i]->passes};
    }
    emission->ckpt_points = ckpt_points_find(emission->unit, emission->njobs, loops);
    ckpt_points_report(&emission->ckpt_points, emission->diags);
    ckpt_points_edit(emission->unit, &emission->ckpt_points, emission->njobs, pending,
                     &emission->edits);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* What ties this object to those whose functions were looked into (analyzer/import.h). */
static void print_needs(const struct unit *unit, struct text *out) {
    for (int i = 0; i < unit->nfunctions; ++i)
        if (unit->functions[i]->origin && unit->functions[i]->symbol)
            text_print(out, "extern const char %s;\n", unit->functions[i]->symbol);
}

static enum standalone form_of(const struct emission *emission) {
    return emission->njobs ? emission->jobs[0]->standalone : STANDALONE_NO;
}

static void print_standalone_head(const struct emission *emission, struct text *out) {
    text_print(out,
               "/* Made by Orrery from %s. Nothing else of Orrery is needed: build with %s. */\n",
               text_escape(out->arena, emission->file->name),
               form_of(emission) == STANDALONE_OPENMP ? "-fopenmp" : "-pthread");
}

static void print_head(const struct emission *emission, struct text *out) {
    const char *name = text_escape(out->arena, emission->file->name);
    if (form_of(emission)) {
        print_standalone_head(emission, out);
        return;
    }
    if (emission->njobs) {
        text_print(out, "/* Made by Orrery from %s: change that file, not this one. */\n", name);
        text_print(out, "#include \"orrery_run.h\"\nORRERY_OBJECT\n"
                        "#ifndef ORRERY_CONTRACTION\n#define ORRERY_CONTRACTION 1\n#endif\n"
                        "#ifdef __FAST_MATH__\n#undef ORRERY_CONTRACTION\n"
                        "#define ORRERY_CONTRACTION 1\n#endif\n");
        print_needs(emission->unit, out);
        ckpt_points_print(emission->unit, &emission->ckpt_points, out);
    }
    text_print(out, "#line 1 \"%s\"\n", name);
}

static int compare_places(const void *a, const void *b) {
    const struct loc *p = &(*(const struct outline *const *)a)->loop->stmt->range.begin;
    const struct loc *q = &(*(const struct outline *const *)b)->loop->stmt->range.begin;
    return p->offset < q->offset ? -1 : p->offset > q->offset;
}

static const struct outline **sorted_by_place(struct arena *arena, int count,
                                              const struct outline *const *outlines) {
    const struct outline **sorted = arena_alloc(arena, (size_t)(count + 1) * sizeof *sorted);
    for (int i = 0; i < count; ++i)
        sorted[i] = outlines[i];
    qsort(sorted, (size_t)count, sizeof *sorted, compare_places);
    return sorted;
}

/* Behind a byte order mark, which may only stand at a file's start. */
static size_t start_of(const struct source_file *file) {
    return file->size >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* What runs the loops of a file that stands alone. */
static void edit_parts(struct emission *emission) {
    size_t at = standalone_place(emission->unit, start_of(emission->file));
    text_edit_add(&emission->edits, at, at,
                  standalone_parts(emission->unit, emission->njobs, emission->jobs));
}

static const char *kernels_of(const struct emission *emission) {
    struct text kernels;
    if (!emission->kernels.length)
        return NULL;
    text_start(&kernels, emission->unit->arena);
    gpu_head_print(emission->unit, &kernels);
    text_append(&kernels, emission->kernels.bytes, emission->kernels.length);
    return kernels.bytes;
}

struct emitted emit_unit(struct unit *unit, int noutlines, const struct outline *const *outlines,
                         struct diag_list *diags) {
    struct emission emission = {
        .unit = unit,
        .diags = diags,
        .file = &unit->files[unit->main_file],
        .edits = {.arena = unit->arena},
        .njobs = noutlines,
        .jobs = sorted_by_place(unit->arena, noutlines, outlines),
    };
    struct text out;
    if (form_of(&emission) && standalone_refused(unit, noutlines, emission.jobs, diags))
        return (struct emitted){"", NULL, false};
    text_start(&emission.kernels, unit->arena);
    for (int i = 0; i < noutlines; ++i)
        emit_loop(&emission, emission.jobs[i]);
    for (int i = 0; i < unit->nloops; ++i)
        edit_pragma(unit, unit->loops[i], &emission.edits);
    if (form_of(&emission))
        edit_parts(&emission);
    else
        emit_ckpt_points(&emission);
    text_start(&out, unit->arena);
    print_head(&emission, &out);
    text_edits_apply(&emission.edits, emission.file->text, start_of(emission.file),
                     emission.file->size, false, &out);
    return (struct emitted){out.bytes, kernels_of(&emission), noutlines > 0};
}
