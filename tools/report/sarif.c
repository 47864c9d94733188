#include "tools/report/sarif.h"

#include "analyzer/analyzer.h"
#include "tools/base/house.h"
#include "tools/report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

/* ---- rules: the codes of messages.def */

/* The page's place, when it is installed beside the libraries. */
static void add_help_uri(json_t *rule, const char *code, struct arena *arena) {
    struct house house;
    house_find(&house, arena);
    const char *page = house_library(&house, arena, arena_printf(arena, "messages/%s.md", code));
    if (page[0] == '/' && access(page, R_OK) == 0)
        json_object_set_new(rule, "helpUri", report_string(arena_printf(arena, "file://%s", page)));
}

/* The first paragraph behind a page's title. */
static const char *paragraph(struct arena *arena, const char *page) {
    const char *begin = strstr(page, "\n\n");
    if (!begin)
        return NULL;
    begin += 2;
    const char *end = strstr(begin, "\n\n");
    char *text = arena_strndup(arena, begin, end ? (size_t)(end - begin) : strlen(begin));
    for (char *at = text; *at; ++at)
        if (*at == '\n')
            *at = ' ';
    return text;
}

static const char *level_of(const char *code) {
    return code[3] == '1' ? "none" : code[3] == '2' ? "warning" : "error";
}

static json_t *rule_json(const char *code, struct arena *arena) {
    const char *title = diag_title(code), *page = diag_explain(code);
    json_t *rule = json_pack("{s:s, s:{s:o}, s:{s:s}}", "id", code, "shortDescription", "text",
                             report_string(title ? title : code), "defaultConfiguration", "level",
                             level_of(code));
    if (page) {
        const char *full = paragraph(arena, page);
        if (full)
            json_object_set_new(rule, "fullDescription",
                                json_pack("{s:o}", "text", report_string(full)));
        json_object_set_new(
            rule, "help",
            json_pack("{s:o, s:o}", "text", report_string(page), "markdown", report_string(page)));
    }
    add_help_uri(rule, code, arena);
    return rule;
}

/* Index of the rule `code`, made when it is new. */
static size_t rule_index(json_t *rules, const char *code, struct arena *arena) {
    size_t index, count = json_array_size(rules);
    for (index = 0; index < count; ++index)
        if (strcmp(json_string_value(json_object_get(json_array_get(rules, index), "id")), code) ==
            0)
            return index;
    json_array_append_new(rules, rule_json(code, arena));
    return count;
}

static json_t *rules_of(json_t *results, struct arena *arena) {
    json_t *rules = json_array(), *result;
    size_t i;
    json_array_foreach(results, i, result) {
        const char *code = json_string_value(json_object_get(result, "ruleId"));
        json_object_set_new(result, "ruleIndex",
                            json_integer((json_int_t)rule_index(rules, code, arena)));
    }
    return rules;
}

/* What the user's text has wrong keeps the tool from its work; a serial loop does not. */
static bool input_failed(const json_t *results) {
    json_t *result;
    size_t i;
    json_array_foreach(results, i, result) {
        const char *code = json_string_value(json_object_get(result, "ruleId"));
        if (message_class_of(code) == MESSAGE_INPUT)
            return true;
    }
    return false;
}

void sarif_print(json_t *results, int status, void *stream) {
    struct arena *arena = arena_new();
    json_t *driver =
        json_pack("{s:s, s:s, s:s, s:o}", "name", "orrery", "version", ORRERY_VERSION,
                  "semanticVersion", ORRERY_VERSION, "rules", rules_of(results, arena));
    json_t *run =
        json_pack("{s:{s:o}, s:[{s:b, s:i}], s:s, s:o}", "tool", "driver", driver, "invocations",
                  "executionSuccessful", !input_failed(results), "exitCode", status, "columnKind",
                  "unicodeCodePoints", "results", results);
    json_t *log =
        json_pack("{s:s, s:s, s:[o]}", "$schema", SCHEMA, "version", "2.1.0", "runs", run);
    json_dumpf(log, stream, JSON_INDENT(1));
    fputc('\n', stream);
    json_decref(log);
    arena_free(arena);
}
