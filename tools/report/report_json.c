#include "scheduler/base/guard.h"
#include "scheduler/choose/file.h"
#include "scheduler/choose/memory.h"
#include "scheduler/choose/passes.h"
#include "tools/report/report.h"

#include <jansson.h>
#include <stdio.h>

static const char *file_name(const struct unit *unit, struct loc loc) {
    return loc.file >= 0 && loc.file < unit->nfiles ? unit->files[loc.file].name : "";
}

static json_t *dims_json(const struct analysis *analysis) {
    json_t *list = json_array();
    for (int i = 0; i < analysis->ndims; ++i)
        json_array_append_new(
            list, json_pack("{s:o, s:s}", "name", report_string(analysis->dims[i].name), "kind",
                            analysis->dims[i].kind == DIM_KEY ? "key" : "variable"));
    return list;
}

static json_t *access_json(const struct unit *unit, const struct access *access) {
    if (!access)
        return json_null();
    struct loc begin = diag_place(&unit, access->range).begin;
    return json_pack("{s:i, s:i, s:o, s:o}", "line", begin.line, "column", begin.column, "text",
                     report_string(access->text), "file", report_string(file_name(unit, begin)));
}

static json_t *dependence_json(const struct compilation *pipeline, const struct analysis *analysis,
                               const struct dependence *dep) {
    json_t *vector = json_array();
    for (int i = 0; i < analysis->ndims; ++i)
        json_array_append_new(vector, report_string(entry_text(pipeline->arena, dep->vector[i])));
    return json_pack("{s:o, s:s, s:o, s:s, s:o, s:o, s:o}", "object",
                     report_string(dep->object ? dep->object->name : NULL), "kind",
                     report_dep_kind(dep->kind), "vector", vector, "status",
                     report_dep_status(dep->status), "source",
                     access_json(pipeline->unit, dep->source), "sink",
                     access_json(pipeline->unit, dep->sink), "why", report_string(dep->why));
}

static json_t *dependences_json(const struct compilation *pipeline,
                                const struct analysis *analysis) {
    json_t *list = json_array();
    for (int i = 0; i < analysis->ndeps; ++i)
        json_array_append_new(list, dependence_json(pipeline, analysis, &analysis->deps[i]));
    return list;
}

static json_t *privates_json(const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nprivates; ++i)
        json_array_append_new(list, report_string(facts->privates[i].var->name));
    for (int i = 0; i < facts->nscratches; ++i)
        json_array_append_new(list, report_string(facts->scratches[i].object->name));
    return list;
}

static json_t *reductions_json(const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        if (!reduction_is_merged(reduction))
            json_array_append_new(list,
                                  json_pack("{s:s, s:o}", "op", report_op(reduction->op), "object",
                                            report_string(reduction->object->name)));
    }
    return list;
}

/* What relax() and buffer() took out of the dependences. */
static json_t *relaxed_json(const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        if (reduction_is_merged(reduction))
            json_array_append_new(
                list,
                json_pack("{s:o, s:o, s:o}", "object", report_string(reduction->object->name),
                          "apply", report_string(reduction->apply ? reduction->apply->name : NULL),
                          "rule", report_string(relax_rule_word(reduction->rule))));
    }
    return list;
}

/* Guards (checked by a run) or assumptions (the user's word). */
static json_t *guards_json(const struct loop_facts *facts, bool assumed) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nguards; ++i)
        if (facts->guards[i].assumed == assumed && !emit_guard_is_repeated(facts, i))
            json_array_append_new(list, report_string(facts->guards[i].text));
    return list;
}

static json_t *arrays_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->narrays; ++i)
        json_array_append_new(
            list, json_pack("{s:o, s:s, s:i}", "name", report_string(plan->arrays[i].object->name),
                            "placement", placement_name(plan->arrays[i].placement), "dim",
                            plan->arrays[i].dim));
    return list;
}

/* Levels: the objects of which a run lists what every iteration touches. */
static json_t *listed_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->ntouches; ++i)
        json_array_append_new(list, report_string(plan->touches[i].object->name));
    return list;
}

static json_t *reason_json(const struct unit *unit, const char *code, struct range words,
                           const char *message, const char *fix) {
    const struct range range = diag_place(&unit, words);
    json_t *reason =
        json_pack("{s:o, s:i, s:i, s:o}", "code", report_string(code), "line", range.begin.line,
                  "column", range.begin.column, "message", report_string(message));
    if (fix)
        json_object_set_new(reason, "fix", report_string(fix));
    return reason;
}

static json_t *edit_json(const struct unit *unit, const struct edit *edit) {
    const struct loc *begin = &edit->range.begin, *end = &edit->range.end;
    return json_pack("{s:o, s:i, s:i, s:i, s:i, s:o}", "file",
                     report_string(file_name(unit, *begin)), "line", begin->line, "column",
                     begin->column, "end_line", end->line, "end_column", end->column, "text",
                     report_string(edit->text));
}

static json_t *notes_json(const struct unit *unit, const struct diag *diag) {
    json_t *list = json_array();
    for (int i = 0; i < diag->nnotes; ++i) {
        const struct unit *user = unit;
        const struct loc begin = diag_place(&user, diag->notes[i].range).begin;
        json_array_append_new(list, json_pack("{s:i, s:i, s:o}", "line", begin.line, "column",
                                              begin.column, "message",
                                              report_string(diag->notes[i].message)));
    }
    return list;
}

static json_t *diag_json(const struct unit *unit, const struct diag *diag) {
    json_t *reason = reason_json(unit, diag->code, diag->range, diag->message, diag->fix);
    bool has_edits = diag_has_edits(unit, diag);
    json_t *edits = json_array();
    for (int i = 0; has_edits && i < diag->nedits; ++i)
        json_array_append_new(edits, edit_json(unit, &diag->edits[i]));
    if (has_edits)
        json_object_set(reason, "edits", edits);
    if (has_edits && diag->gives_up)
        json_object_set_new(reason, "gives_up", report_string(diag->gives_up));
    json_decref(edits);
    if (diag->nnotes > 0)
        json_object_set_new(reason, "notes", notes_json(unit, diag));
    return reason;
}

/* The plan's own reason first, then what else stands in the way. */
static json_t *reasons_json(const struct compilation *pipeline, const struct plan *plan) {
    struct diag_list diags = {.arena = pipeline->arena};
    const struct diag *diag = report_diag(pipeline, plan, SEVERITY_WARNING, &diags);
    json_t *list = json_array(), *own = diag_json(pipeline->unit, diag);
    json_object_set_new(own, "severity",
                        json_string(diag->severity == SEVERITY_WARNING ? "warning" : "remark"));
    json_array_append_new(list, own);
    for (int i = 0; i < diag->nnotes; ++i)
        if (diag->notes[i].code)
            json_array_append_new(list, diag_json(pipeline->unit, &diag->notes[i]));
    return list;
}

/* Indices of the dims that the plan cuts the iterations by. */
static json_t *cut_json(const struct plan *plan) {
    int cuts[PLAN_KEYS], ncuts = plan_keys(plan, cuts);
    json_t *list = json_array();
    if (ncuts == 0 && plan->space >= 0)
        json_array_append_new(list, json_integer(plan->space));
    for (int i = 0; i < ncuts; ++i)
        json_array_append_new(list, json_integer(cuts[i]));
    return list;
}

/* Whether passes over the loop flow into each other; NULL: no loop stands around it. */
static json_t *passes_json(const struct unit *unit, const struct plan *plan) {
    const struct plan_passes *passes = plan_passes(plan);
    const char *code, *words = plan_passes_words(plan, passes, &code);
    struct range where = passes->around ? passes->around->header : passes->where;
    return words ? reason_json(unit, code, where, words, passes->fix) : NULL;
}

json_t *report_loop_json(const struct compilation *pipeline, const struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    const struct loop *loop = analysis->loop;
    const struct unit *user = pipeline->unit;
    struct loc place = diag_place(&user, loop->header).begin;
    bool serial = plan->strategy == STRATEGY_SERIAL;
    json_t *json = json_pack(
        "{s:o, s:i, s:i, s:o, s:i, s:o, s:b, s:s, s:s, s:s}", "file",
        report_string(file_name(user, place)), "line", place.line, "column", place.column,
        "function", report_string(loop->function ? loop->function->name : NULL), "depth",
        loop->depth, "variable", report_string(loop->variable ? loop->variable->name : NULL),
        "marked", loop_is_marked(loop), "verdict", serial ? "serial" : "parallel", "order",
        analysis->unordered ? "unordered" : "ordered", "strategy", strategy_name(plan->strategy));
    if (!loop_is_marked(loop))
        json_object_set_new(json, "auto", json_boolean(!compile_left_alone(pipeline, plan)));
    json_object_set_new(json, "dims", dims_json(analysis));
    json_object_set_new(json, "cut", cut_json(plan));
    json_object_set_new(json, "dependences", dependences_json(pipeline, analysis));
    json_object_set_new(json, "private", privates_json(analysis->facts));
    json_object_set_new(json, "reductions", reductions_json(analysis->facts));
    json_object_set_new(json, "relaxed", relaxed_json(analysis->facts));
    json_object_set_new(json, "guards", guards_json(analysis->facts, false));
    json_object_set_new(json, "assumptions", guards_json(analysis->facts, true));
    json_object_set_new(json, "arrays", arrays_json(plan));
    json_object_set_new(json, "memory", plan_memory_json(plan, report_string));
    if (plan_threads_only(plan))
        json_object_set_new(json, "threads_only", report_string(plan_threads_only(plan)));
    if (plan_is_listed(plan))
        json_object_set_new(json, "listed", listed_json(plan));
    if (plan->pipe) {
        json_object_set_new(json, "stages", report_stages_json(plan));
        if (plan->pipe->nlate)
            json_object_set_new(json, "late", report_late_json(plan));
        json_object_set_new(json, "travels", report_travels_json(plan));
    }
    json_t *passes = serial ? NULL : passes_json(pipeline->unit, plan);
    if (passes)
        json_object_set_new(json, "passes", passes);
    json_object_set_new(json, "reasons", reasons_json(pipeline, plan));
    if (plan->assumed && plan->strategy != STRATEGY_SERIAL)
        json_object_set_new(json, "why", plan_why_json(plan));
    return json;
}

static json_t *errors_json(const struct compilation *pipeline) {
    json_t *list = json_array();
    for (int i = 0; i < pipeline->diags.count; ++i) {
        const struct diag *diag = &pipeline->diags.items[i];
        if (diag->severity == SEVERITY_ERROR)
            json_array_append_new(list, diag_json(pipeline->unit, diag));
    }
    return list;
}

void report_json(const struct compilation *pipeline, const char *file, void *stream) {
    json_t *loops = json_array();
    for (int i = 0; i < pipeline->nplans; ++i)
        json_array_append_new(loops, report_loop_json(pipeline, pipeline->plans[i]));
    json_t *root = json_pack("{s:s, s:o, s:o, s:o}", "schema", "orrery-analysis/1", "file",
                             report_string(file), "loops", loops, "errors", errors_json(pipeline));
    json_dumpf(root, stream, JSON_COMPACT);
    fputc('\n', stream);
    json_decref(root);
}
