#include "tools/tune/tune.h"

#include "tools/report/report.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

const char *tune_utf8(struct arena *arena, const char *text) {
    json_t *string = report_string(text);
    const char *copy = arena_strdup(arena, json_string_value(string));
    json_decref(string);
    return copy;
}

static double shown(const struct tune *tune, const struct tune_candidate *candidate) {
    return tune->maximize ? -candidate->score : candidate->score;
}

static int width(const struct tune *tune, int axis) {
    size_t most = strlen(tune->axes[axis].name);
    for (int i = 0; i < tune->axes[axis].values.count; ++i)
        if (strlen(tune->axes[axis].values.items[i]) > most)
            most = strlen(tune->axes[axis].values.items[i]);
    return (int)most;
}

void tune_print_text(const struct tune *tune) {
    for (int i = 0; i < tune->naxes; ++i)
        printf("%*s  ", width(tune, i), tune->axes[i].name);
    printf("rung  %10s  seconds\n", tune->score ? tune->score : "");
    for (int i = 0; i < tune->ncandidates; ++i) {
        const struct tune_candidate *candidate = &tune->candidates[i];
        for (int j = 0; j < tune->naxes; ++j)
            printf("%*s  ", width(tune, j), candidate->values[j]);
        if (candidate->failed)
            printf("   -  failed: %s\n", candidate->failed);
        else if (tune->score)
            printf("%4d  %10.6g  %7.3f\n", candidate->rung + 1, shown(tune, candidate),
                   candidate->seconds);
        else
            printf("%4d  %10s  %7.3f\n", candidate->rung + 1, "", candidate->seconds);
    }
    const struct tune_candidate *best = &tune->candidates[0];
    if (!best->failed)
        printf("best: %s\n", tune_command(tune, best, tune_rungs(tune) - 1));
}

static json_t *candidate_json(const struct tune *tune, const struct tune_candidate *candidate) {
    json_t *values = json_object();
    for (int i = 0; i < tune->naxes; ++i)
        json_object_set_new(values, tune_utf8(tune->arena, tune->axes[i].name),
                            report_string(candidate->values[i]));
    json_t *json =
        json_pack("{s:o, s:i, s:o}", "values", values, "rung", candidate->rung + 1, "command",
                  report_string(tune_command(tune, candidate, tune_rungs(tune) - 1)));
    if (candidate->failed) {
        json_object_set_new(json, "failed", report_string(candidate->failed));
        return json;
    }
    json_object_set_new(json, "seconds", json_real(candidate->seconds));
    json_object_set_new(json, "score", json_real(shown(tune, candidate)));
    return json;
}

void tune_print_json(const struct tune *tune) {
    json_t *list = json_array();
    for (int i = 0; i < tune->ncandidates; ++i)
        json_array_append_new(list, candidate_json(tune, &tune->candidates[i]));
    json_t *root =
        json_pack("{s:s, s:o, s:o}", "schema", "orrery-tune/1", "score",
                  report_string(tune->score ? tune->score : "seconds"), "candidates", list);
    json_dumpf(root, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(root);
}
