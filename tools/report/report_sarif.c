#define _GNU_SOURCE
/* Errors and verdicts of one file as results of a SARIF 2.1.0 log. */
#include "tools/report/report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- places */

/* Columns count characters in SARIF, bytes in our places. */
static int column_of(const struct source_file *file, const struct loc *loc) {
    int column = 1;
    if (!file->text || loc->offset > file->size)
        return loc->column;
    const char *line = file->text + loc->offset - (loc->column - 1);
    for (int i = 0; i + 1 < loc->column; ++i)
        column += ((unsigned char)line[i] & 0xC0) != 0x80;
    return column;
}

static json_t *region_json(const struct source_file *file, const struct range *range) {
    bool closed = range->end.file == range->begin.file && range->end.line > 0;
    const struct loc *end = closed ? &range->end : &range->begin;
    return json_pack("{s:i, s:i, s:i, s:i}", "startLine", range->begin.line, "startColumn",
                     column_of(file, &range->begin), "endLine", end->line, "endColumn",
                     column_of(file, end) + !closed);
}

static const struct source_file *file_at(const struct unit *unit, const struct range *range) {
    int file = range->begin.file;
    return unit && file >= 0 && file < unit->nfiles && range->begin.line > 0 ? &unit->files[file]
                                                                             : NULL;
}

/* NULL where the message has no place. */
static json_t *location_json(const struct unit *unit, const struct range *range) {
    const struct range place = diag_place(&unit, *range);
    const struct source_file *file = file_at(unit, &place);
    if (!file)
        return NULL;
    return json_pack("{s:{s:{s:o}, s:o}}", "physicalLocation", "artifactLocation", "uri",
                     report_uri(file->name), "region", region_json(file, &place));
}

static json_t *message_json(const char *text) {
    return json_pack("{s:o}", "text", report_string(text));
}

/* ---- one message */

static json_t *related_json(const struct unit *unit, const struct diag *diag) {
    json_t *list = json_array();
    for (int i = 0; i < diag->nnotes; ++i) {
        json_t *location = location_json(unit, &diag->notes[i].range);
        if (!location)
            continue;
        json_object_set_new(location, "id", json_integer(i + 1));
        json_object_set_new(location, "message", message_json(diag->notes[i].message));
        json_array_append_new(list, location);
    }
    return list;
}

static json_t *replacement_json(const struct source_file *file, const struct edit *edit) {
    return json_pack("{s:o, s:{s:o}}", "deletedRegion", region_json(file, &edit->range),
                     "insertedContent", "text", report_string(edit->text));
}

/* The changes of one file stand together, as SARIF wants them. */
static json_t *changes_json(const struct unit *unit, const struct diag *diag) {
    json_t *changes = json_array();
    bool has_edits = diag_has_edits(unit, diag);
    for (int i = 0; has_edits && i < diag->nedits; ++i) {
        const struct source_file *file = file_at(unit, &diag->edits[i].range);
        bool seen = !file;
        for (int j = 0; j < i; ++j)
            seen |= diag->edits[j].range.begin.file == diag->edits[i].range.begin.file;
        if (seen)
            continue;
        json_t *list = json_array();
        for (int j = i; j < diag->nedits; ++j)
            if (diag->edits[j].range.begin.file == diag->edits[i].range.begin.file)
                json_array_append_new(list, replacement_json(file, &diag->edits[j]));
        json_array_append_new(changes, json_pack("{s:{s:o}, s:o}", "artifactLocation", "uri",
                                                 report_uri(file->name), "replacements", list));
    }
    return changes;
}

/* What says that a loop is fine is no finding: kind `informational`, which has level `none`. */
static const char *level_of(const struct diag *diag) {
    if (diag->severity == SEVERITY_ERROR)
        return "error";
    if (diag->severity == SEVERITY_WARNING)
        return "warning";
    return message_class_of(diag->code) == MESSAGE_PARALLEL ? "none" : "note";
}

static json_t *result_json(const struct unit *unit, const struct diag *diag) {
    const char *level = level_of(diag);
    const char *text = diag->message;
    char *with_fix = NULL;
    if (diag->fix && asprintf(&with_fix, "%s. To mend it: %s", text, diag->fix) >= 0)
        text = with_fix;
    json_t *result = json_pack("{s:s, s:s, s:s, s:o}", "ruleId", diag->code, "kind",
                               strcmp(level, "none") == 0 ? "informational" : "fail", "level",
                               level, "message", message_json(text));
    free(with_fix);
    json_t *location = location_json(unit, &diag->range), *locations = json_array();
    if (location)
        json_array_append_new(locations, location);
    json_object_set_new(result, "locations", locations);
    json_t *related = related_json(unit, diag), *changes = changes_json(unit, diag);
    if (json_array_size(related) > 0)
        json_object_set(result, "relatedLocations", related);
    if (json_array_size(changes) > 0)
        json_object_set_new(result, "fixes",
                            json_pack("[{s:o, s:O}]", "description",
                                      message_json(diag->fix ? diag->fix : diag->message),
                                      "artifactChanges", changes));
    json_decref(related);
    json_decref(changes);
    return result;
}

static void add_facts(json_t *result, const struct plan *plan) {
    const struct loop *loop = plan->analysis->loop;
    json_object_set_new(result, "properties",
                        json_pack("{s:s, s:s, s:b, s:i}", "strategy", strategy_name(plan->strategy),
                                  "order", plan->analysis->unordered ? "unordered" : "ordered",
                                  "marked", loop_is_marked(loop), "loopLine",
                                  loop->header.begin.line));
}

/* ---- addresses that stay when lines move */

static bool is_one_address(const struct loop *a, const struct loop *b) {
    const char *function = a->function ? a->function->name : "";
    const char *variable = a->variable ? a->variable->name : "";
    return a->depth == b->depth && strcmp(function, b->function ? b->function->name : "") == 0 &&
           strcmp(variable, b->variable ? b->variable->name : "") == 0;
}

/* Function, variable and depth of plan `at`'s loop; which one of several such it is. */
static void add_loop_address(json_t *result, const struct compilation *pipeline, int at) {
    const struct loop *loop = pipeline->plans[at]->analysis->loop;
    int nth = 1;
    for (int i = 0; i < at; ++i)
        nth += is_one_address(loop, pipeline->plans[i]->analysis->loop);
    json_object_set_new(
        result, "partialFingerprints",
        json_pack("{s:o}", "orreryLoop/v1",
                  report_string(arena_printf(
                      pipeline->arena, "%s %s %d %d", loop->function ? loop->function->name : "-",
                      loop->variable ? loop->variable->name : "-", loop->depth, nth))));
}

/* The words of the line that a message speaks of, each with one blank behind it. */
static const char *words_at(const struct compilation *pipeline, const struct diag *diag) {
    const struct source_file *file = file_at(pipeline->unit, &diag->range);
    const struct loc *loc = &diag->range.begin;
    if (!file || !file->text || loc->offset > file->size || loc->column < 1 ||
        loc->offset < (unsigned)loc->column - 1)
        return "";
    const char *line = file->text + loc->offset - (loc->column - 1);
    char *words = arena_strndup(pipeline->arena, line, strcspn(line, "\r\n")), *out = words;
    for (const char *in = words; *in; ++in)
        if (*in != ' ' && *in != '\t')
            *out++ = *in;
        else if (out > words && out[-1] != ' ')
            *out++ = ' ';
    *out = '\0';
    return words;
}

/* The same code at a line of the same words before. */
static void add_text_address(json_t *result, const struct compilation *pipeline, int at) {
    const struct diag *diag = &pipeline->diags.items[at];
    const char *words = words_at(pipeline, diag);
    int nth = 1;
    for (int i = 0; i < at; ++i)
        nth += strcmp(pipeline->diags.items[i].code, diag->code) == 0 &&
               strcmp(words_at(pipeline, &pipeline->diags.items[i]), words) == 0;
    json_object_set_new(
        result, "partialFingerprints",
        json_pack("{s:o}", "orreryLine/v1",
                  report_string(arena_printf(pipeline->arena, "%d %s", nth, words))));
}

void report_sarif(const struct compilation *pipeline, bool serial_is_error, json_t *results) {
    for (int i = 0; i < pipeline->diags.count; ++i) {
        json_t *result = result_json(pipeline->unit, &pipeline->diags.items[i]);
        add_text_address(result, pipeline, i);
        json_array_append_new(results, result);
    }
    for (int i = 0; i < pipeline->nplans; ++i) {
        struct diag_list list = {.arena = pipeline->arena};
        const struct diag *diag =
            report_diag(pipeline, pipeline->plans[i],
                        serial_is_error ? SEVERITY_ERROR : SEVERITY_WARNING, &list);
        json_t *result = result_json(pipeline->unit, diag);
        add_facts(result, pipeline->plans[i]);
        add_loop_address(result, pipeline, i);
        json_array_append_new(results, result);
    }
}
