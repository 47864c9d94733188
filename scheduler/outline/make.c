/* Can a loop be cut out of its function by its plan, and what goes with it. */
#include "scheduler/outline/make.h"

#include "scheduler/base/nesting.h"
#include "scheduler/outline/collect.h"

#include <string.h>

/* FNV-1a of the file's name and text: two files of a program may have a loop 0 each. */
static unsigned long hash_of(const struct source_file *file) {
    unsigned long hash = 0xcbf29ce484222325ul;
    for (const char *p = file->name; *p; ++p)
        hash = (hash ^ (unsigned char)*p) * 0x100000001b3ul;
    for (size_t i = 0; i < file->size; ++i)
        hash = (hash ^ (unsigned char)file->text[i]) * 0x100000001b3ul;
    return hash;
}

/* The kernel's name, which no other file's has. */
static const char *kernel_name(const struct outline *job) {
    return arena_printf(job->arena, "orrery_kernel_%016lx_%d",
                        hash_of(&job->unit->files[job->unit->main_file]), job->number);
}

static struct outline *job_new(struct unit *unit, struct plan *plan, bool allow_fallback,
                               enum standalone standalone) {
    struct arena *arena = unit->arena;
    const struct source_file *file = &unit->files[unit->main_file];
    struct outline *job = arena_alloc(arena, sizeof *job);
    *job = (struct outline){
        .arena = arena,
        .unit = unit,
        .plan = plan,
        .facts = plan->analysis->facts,
        .loop = plan->analysis->loop,
        .allow_fallback = allow_fallback,
        .standalone = standalone,
        .source = file->text,
        .file = text_escape(arena, file->name),
        .number = plan->analysis->loop->id,
        .sites = {.arena = arena},
        .renames = {.arena = arena},
    };
    job->chunk_file = arena_printf(arena, "<orrery loop %d>", job->number);
    job->kernel_name = plan->gpu ? kernel_name(job) : NULL;
    job->passes = plan->gpu || standalone ? NULL : emit_passes(job);
    return job;
}

/* What any plan of the loop needs, or most. False: refused. */
static bool outline_loop(struct outline *job) {
    return emit_check_place(job) && emit_front_check(job) && emit_moving_check(job) &&
           emit_reductions_collect(job) && emit_rerun_check(job) && emit_env_collect(job) &&
           outline_copies_check(job);
}

/* Directives of ours in the body have been obeyed. Its loops follow in the order of the text. */
static void inner_pragmas(struct outline *job) {
    const struct unit *unit = job->unit;
    for (int i = job->loop->id + 1; i < unit->nloops; ++i) {
        const struct loop *loop = unit->loops[i];
        const struct pragma *pragma = loop->pragma;
        if (loop->depth <= job->loop->depth)
            return;
        if (pragma && nesting_in_text(loop, job->loop) &&
            pragma->range.begin.file == job->unit->main_file)
            text_edit_add(&job->renames, pragma->range.begin.offset, pragma->range.end.offset, "");
    }
}

/* Does the label that `text` names stand in the body? */
struct label_search {
    const char *text;
    bool found;
};

static void see_label(void *data, struct stmt *stmt) {
    struct label_search *s = data;
    s->found = s->found || (stmt->kind == STMT_LABEL && strcmp(stmt->text, s->text) == 0);
}

static bool leaves_body(const struct outline *job, const struct stmt *stmt) {
    struct label_search s = {.text = stmt->text};
    if (stmt->kind == STMT_GOTO)
        emit_walk_stmts(job->loop->body, see_label, &s);
    return stmt->kind == STMT_RETURN || (stmt->kind == STMT_GOTO && !s.found);
}

/* No iteration of a parallel run comes to a jump that leaves the loop; in our functions it would
 * have no meaning. */
static void end_jump(void *data, struct stmt *stmt) {
    struct outline *job = data;
    if (leaves_body(job, stmt) && stmt->range.begin.file == job->unit->main_file)
        text_edit_add(&job->renames, stmt->range.begin.offset, stmt->range.end.offset,
                      "__builtin_trap();");
}

/* What this plan needs. False: refused. */
static bool outline_plan(struct outline *job) {
    return emit_lists_collect(job) && emit_record_collect(job) && emit_arrays_collect(job) &&
           emit_hot_check(job) && emit_guards_check(job) && emit_merged_check(job) &&
           emit_hidden_check(job) && emit_check_body(job) && outline_readiness(job) &&
           outline_call_check(job) && emit_wave_check(job) && emit_pipe_check(job);
}

struct outline *outline_make(struct unit *unit, struct plan *plan, bool allow_fallback,
                             enum standalone standalone, int ninside,
                             const struct plan *const *inside) {
    struct outline *job = job_new(unit, plan, allow_fallback, standalone);
    job->ninside = ninside;
    job->inside = inside;
    job->refusal.of_plan = outline_loop(job);
    if (!job->refusal.of_plan || !outline_plan(job)) {
        job->refused = true;
        return job;
    }
    inner_pragmas(job);
    emit_walk_stmts(job->loop->body, end_jump, job);
    if (!emit_body_check(job) || !outline_types_check(job))
        return job;
    outline_reads(job);
    outline_unroll(job);
    outline_sized(job);
    outline_lanes(job);
    return job;
}

const struct outline_refusal *outline_refusal(const struct outline *outline) {
    return outline->refused ? &outline->refusal : NULL;
}
