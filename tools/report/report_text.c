#include "scheduler/base/guard.h"
#include "scheduler/choose/memory.h"
#include "scheduler/choose/passes.h"
#include "scheduler/emit/fixit.h"
#include "scheduler/transform/records.h"
#include "tools/report/report.h"
#include "tools/report/summary.h"

#include <stdio.h>
#include <string.h>

static bool is_serial(const struct plan *plan) {
    return plan->strategy == STRATEGY_SERIAL;
}

/* Both ends of a dependence, as notes with carets. */
static void note_dependence(struct diag_list *list, struct diag *diag,
                            const struct dependence *dep) {
    const struct access *ends[] = {dep->source, dep->sink};
    for (int i = 0; i < 2; ++i) {
        const struct access *access = ends[i];
        if (!access || (i == 1 && access == ends[0]))
            continue;
        const char *doing = access->write ? "written" : "read";
        const char *which = i == 0 ? "one iteration" : "another";
        if (ends[0] == ends[1])
            which = "two iterations";
        diag_note(list, diag, access->range, "'%s' is %s here by %s", access->text, doing, which);
        if (access->via)
            diag_note(list, diag, access->via->range, "called from the loop here");
    }
}

static const char *vector_text(struct arena *arena, const struct analysis *analysis,
                               const struct dependence *dep) {
    const char *text = "(";
    for (int i = 0; i < analysis->ndims; ++i)
        text =
            arena_printf(arena, "%s%s%s", text, i ? ", " : "", entry_text(arena, dep->vector[i]));
    return arena_printf(arena, "%s)", text);
}

static bool same_place(struct range a, struct range b) {
    return a.begin.file == b.begin.file && a.begin.offset == b.begin.offset;
}

/* A refusal that was found before the dependences: the one whose end it points at, or NULL. Codes
 * ORR23xx are about the text. */
static const struct dependence *culprit_at(const struct plan *plan) {
    bool about_text = message_class_of(plan->code) == MESSAGE_OF_TEXT;
    for (int i = 0; is_serial(plan) && !about_text && i < plan->analysis->ndeps; ++i) {
        const struct dependence *dep = &plan->analysis->deps[i];
        if (dep->status == DEP_CARRIED && dep->source && dep->sink &&
            (same_place(dep->source->range, plan->where) ||
             same_place(dep->sink->range, plan->where)))
            return dep;
    }
    return NULL;
}

/* What else stands in the way, as notes, and the edits of all. */
static void note_obstacles(const struct plan *plan, struct diag_list *list, struct diag *diag) {
    for (int i = 0; i < plan->nobstacles; ++i) {
        const struct plan_obstacle *one = &plan->obstacles[i];
        if (i > 0)
            diag_note(list, diag, one->where, "%s", one->message);
        struct diag *of = i > 0 ? &diag->notes[diag->nnotes - 1] : diag;
        of->code = one->code;
        of->fix = one->fix;
        fixit_propose(plan, one, list, of);
    }
}

/* What keeps a nest of rows from being one loop over records. */
static void note_nest(const struct compilation *pipeline, const struct loop *loop,
                      struct diag_list *list, struct diag *diag) {
    for (int i = 0; i < pipeline->nnests; ++i) {
        const struct compile_nest *nest = &pipeline->nests[i];
        for (int j = 0; same_place(nest->header, loop->header) && j < nest->nhindrances; ++j)
            diag_note(list, diag, nest->hindrances[j].where,
                      "the rows could run as one loop over records, but for this: %s",
                      nest->hindrances[j].words);
    }
}

struct diag *report_diag(const struct compilation *pipeline, const struct plan *plan,
                         enum severity serial, struct diag_list *list) {
    enum severity severity =
        is_serial(plan) && loop_is_marked(plan->analysis->loop) ? serial : SEVERITY_REMARK;
    struct diag *diag = diag_add(list, severity, plan->code, plan->where, "%s", plan->message);
    diag->fix = plan->fix;
    const struct dependence *dep = plan->culprit ? plan->culprit : culprit_at(plan);
    if (dep && plan->analysis->ndims > 0)
        diag_note(list, diag, plan->analysis->loop->header,
                  "%s dependence through '%s', vector %s%s%s", report_dep_kind(dep->kind),
                  dep->object->name, vector_text(pipeline->arena, plan->analysis, dep),
                  dep->why ? ": " : "", dep->why ? dep->why : "");
    if (dep)
        note_dependence(list, diag, dep);
    if (is_serial(plan))
        note_obstacles(plan, list, diag);
    note_nest(pipeline, plan->analysis->loop, list, diag);
    return diag;
}

/* What an iteration would do there is done in the loop's order, or not at all. */
static void note_as_written(const struct loop_facts *facts, struct diag_list *list,
                            struct diag *diag) {
    for (int i = 0; i < facts->nguards; ++i)
        if (facts->guards[i].serial)
            diag_note(list, diag, facts->loop->header,
                      "the loop runs serially, as it is written, where %s",
                      guard_serial_words(facts->unit->arena, &facts->guards[i]));
}

void report_verdict(const struct compilation *pipeline, const struct plan *plan,
                    enum severity serial, void *stream) {
    struct diag_list list = {.arena = pipeline->arena};
    struct diag *diag = report_diag(pipeline, plan, serial, &list);
    const char *whole = is_serial(plan) ? NULL : plan_memory_whole(plan);
    if (!is_serial(plan))
        note_as_written(plan->analysis->facts, &list, diag);
    if (whole)
        diag_note(&list, diag, plan->analysis->loop->header,
                  "more ranks do not cut these bytes: %s", whole);
    diag_print(pipeline->unit, diag, pipeline_color(stream), stream);
}

static void print_verdict(const struct compilation *pipeline, const struct plan *plan,
                          enum severity serial, void *stream) {
    struct diag_list list = {.arena = pipeline->arena};
    diag_print(pipeline->unit, report_diag(pipeline, plan, serial, &list), pipeline_color(stream),
               stream);
}

/* The same object, kind, vector and status are said once. */
static bool said_before(struct arena *arena, const struct analysis *analysis, int index) {
    const struct dependence *dep = &analysis->deps[index];
    for (int i = 0; i < index; ++i) {
        const struct dependence *other = &analysis->deps[i];
        if (other->object == dep->object && other->kind == dep->kind &&
            other->status == dep->status &&
            strcmp(vector_text(arena, analysis, other), vector_text(arena, analysis, dep)) == 0)
            return true;
    }
    return false;
}

static void print_dims(const struct analysis *analysis, FILE *out) {
    fprintf(out, "    dims:");
    for (int i = 0; i < analysis->ndims; ++i)
        fprintf(out, "%s %s%s", i ? "," : "", analysis->dims[i].name,
                analysis->dims[i].kind == DIM_KEY ? " (key)" : "");
    fprintf(out, "\n");
}

static struct loc place_of(const struct unit *unit, const struct access *access) {
    return diag_place(&unit, access->range).begin;
}

static void print_dependences(struct arena *arena, const struct unit *unit,
                              const struct analysis *analysis, FILE *out) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        bool carried = dep_status_holds(dep->status);
        if (!carried || said_before(arena, analysis, i))
            continue;
        fprintf(out, "    dependence: %s %s %s", dep->object->name, report_dep_kind(dep->kind),
                vector_text(arena, analysis, dep));
        if (dep->source && dep->sink) {
            const struct loc from = place_of(unit, dep->source), to = place_of(unit, dep->sink);
            fprintf(out, " from %s at %d:%d to %s at %d:%d", dep->source->text, from.line,
                    from.column, dep->sink->text, to.line, to.column);
        }
        fprintf(out, "%s%s\n", dep->why ? ": " : "", dep->why ? dep->why : "");
    }
}

static void print_arrays(const struct plan *plan, FILE *out) {
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        fprintf(out, "    array: %s %s", array->object->name, placement_name(array->placement));
        if (array->dim >= 0)
            fprintf(out, " by %s", plan->analysis->dims[array->dim].name);
        fprintf(out, "%s%s\n", array->why ? ": " : "", array->why ? array->why : "");
    }
}

static void print_memory(const struct plan *plan, FILE *out) {
    const char *text = plan_memory_text(plan);
    if (text)
        fprintf(out, "    memory of a rank: %s\n", text);
    const char *threads = plan_threads_only(plan);
    if (threads)
        fprintf(out, "    threads only, several ranks are refused: %s\n", threads);
}

/* The nearest of those that were not chosen, and the last, which is mostly the serial loop. */
static void print_rejected(const struct plan *plan, FILE *out) {
    enum { SHOWN = 3 };
    for (int i = 0; i < plan->nrejected; ++i) {
        const struct plan_rejected *rejected = &plan->rejected[i];
        if (i < SHOWN || i + 1 == plan->nrejected)
            fprintf(out, "    rejected: %s, %s: %s\n", rejected->words,
                    report_ratio(rejected->ratio), rejected->because);
        else if (i == SHOWN)
            fprintf(out, "    rejected: %d more\n", plan->nrejected - SHOWN - 1);
    }
}

static void print_best(const struct plan_best *best, FILE *out) {
    if (!best)
        return;
    fprintf(out, "    best run: ");
    report_best(best, out);
    fputc('\n', out);
}

static void print_guards(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->nguards; ++i) {
        const struct guard *guard = &facts->guards[i];
        if (guard->serial)
            fprintf(out, "    runs serially, as it is written, where: %s\n",
                    guard_serial_words(facts->unit->arena, guard));
        else if (!emit_guard_is_repeated(facts, i))
            fprintf(out, "    %s: %s\n",
                    guard->assumed ? "assumed (tested by orrery verify)" : "checked by the run",
                    guard->text);
    }
}

static void print_facts(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->nprivates; ++i)
        fprintf(out, "%s%s", i ? ", " : "    private: ", facts->privates[i].var->name);
    for (int i = 0; i < facts->nscratches; ++i)
        fprintf(out, "%s%s",
                i + facts->nprivates ? ", " : "    private: ", facts->scratches[i].object->name);
    if (facts->nprivates + facts->nscratches)
        fprintf(out, "\n");
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].op == REDUCE_RELAX)
            fprintf(out, "    relaxed: %s, merged by %s\n", facts->reductions[i].object->name,
                    relax_rule_word(facts->reductions[i].rule));
        else if (facts->reductions[i].op == REDUCE_BUFFER)
            fprintf(out, "    buffered: %s, applied by %s\n", facts->reductions[i].object->name,
                    facts->reductions[i].apply->name);
        else
            fprintf(out, "    reduction: %s %s\n", report_op(facts->reductions[i].op),
                    facts->reductions[i].object->name);
}

/* What keeps passes from overlapping matters where every pass fills and drains. */
static void print_passes(const struct plan *plan, FILE *out) {
    const struct plan_passes *passes = plan_passes(plan);
    const char *code, *words = plan_passes_words(plan, passes, &code);
    if (!words || (!passes->around && plan->strategy != STRATEGY_ORDERED_ROTATION))
        return;
    fprintf(out, "    passes: %s%s%s [%s]\n", words, passes->fix ? "; fix: " : "",
            passes->fix ? passes->fix : "", code);
}

/* --all: which of the loops that nobody marked would run in parallel. */
static void print_automatic(const struct compilation *pipeline, const struct plan *plan,
                            FILE *out) {
    const struct loop *loop = plan->analysis->loop;
    if (loop_is_marked(loop))
        return;
    const char *left = compile_left_alone(pipeline, plan);
    fprintf(out, "    orrery-cc -auto: %s\n", left ? left : "runs in parallel");
}

void report_details(const struct compilation *pipeline, const struct plan *plan, void *stream) {
    if (is_serial(plan))
        return;
    print_dims(plan->analysis, stream);
    print_dependences(pipeline->arena, pipeline->unit, plan->analysis, stream);
    print_facts(plan->analysis->facts, stream);
    if (plan->pipe)
        report_stages_print(plan, stream);
    print_arrays(plan, stream);
    print_memory(plan, stream);
    print_rejected(plan, stream);
    print_best(plan->best, stream);
    print_guards(plan->analysis->facts, stream);
    print_passes(plan, stream);
    print_automatic(pipeline, plan, stream);
}

void report_text(const struct compilation *pipeline, const char *file, bool serial_is_error,
                 bool quiet, void *stream) {
    for (int i = 0; i < pipeline->nplans; ++i) {
        const struct plan *plan = pipeline->plans[i];
        if (quiet && (!is_serial(plan) || !loop_is_marked(plan->analysis->loop)))
            continue;
        print_verdict(pipeline, plan, serial_is_error ? SEVERITY_ERROR : SEVERITY_WARNING, stream);
        report_details(pipeline, plan, stream);
    }
    struct summary summary;
    summary_count(&summary, pipeline);
    if (!quiet && pipeline->unit && pipeline->diags.nerrors == 0)
        summary_print(&summary, file, stream);
}
