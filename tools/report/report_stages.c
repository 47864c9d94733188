/* A pipeline's stages, and the variables that they share. */
#include "tools/report/report.h"

#include <stdio.h>

static json_t *lines_json(const struct plan_pipe *pipe, int stage) {
    json_t *list = json_array();
    for (int p = 0; p < pipe->nparts; ++p)
        if (pipe->parts[p].stage == stage)
            json_array_append_new(list, json_integer(pipe->parts[p].stmt->range.begin.line));
    return list;
}

/* Numbers from 1, as in the messages. */
static json_t *numbers_json(unsigned stages) {
    json_t *list = json_array();
    for (int s = 0; stages >> s; ++s)
        if (stages >> s & 1)
            json_array_append_new(list, json_integer(s + 1));
    return list;
}

json_t *report_stages_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int s = 0; s < plan->pipe->nstages; ++s)
        json_array_append_new(list, json_pack("{s:o, s:f}", "lines", lines_json(plan->pipe, s),
                                              "nanoseconds", plan->pipe->costs[s]));
    return list;
}

/* Ranges of iterations that a group comes behind the stage in whose row it runs. */
static int ranges_late(const struct plan_pipe *pipe, int group) {
    return PIPE_AHEAD_LATE * pipe->nstages * pipe->late[group].age;
}

json_t *report_late_json(const struct plan *plan) {
    const struct plan_pipe *pipe = plan->pipe;
    json_t *list = json_array();
    for (int g = 0; g < pipe->nlate; ++g)
        json_array_append_new(
            list, json_pack("{s:o, s:i, s:i}", "lines", lines_json(pipe, pipe->nstages + g),
                            "stage", pipe->late[g].row + 1, "ranges_late", ranges_late(pipe, g)));
    return list;
}

static bool is_shared(const struct pipe_value *value) {
    return (value->touched & (value->touched - 1)) != 0 && value->written;
}

json_t *report_travels_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->pipe->nvalues; ++i) {
        const struct pipe_value *value = &plan->pipe->values[i];
        if (is_shared(value))
            json_array_append_new(
                list, json_pack("{s:o, s:o, s:o, s:b}", "name", report_string(value->var->name),
                                "stages", numbers_json(value->touched), "written",
                                numbers_json(value->written), "carried", value->carried));
    }
    return list;
}

static void lines_print(const struct plan_pipe *pipe, int stage, FILE *out) {
    for (int p = 0, last = 0; p < pipe->nparts; ++p) {
        int line = pipe->parts[p].stmt->range.begin.line;
        if (pipe->parts[p].stage == stage && line != last)
            fprintf(out, " %d", last = line);
    }
    fprintf(out, "\n");
}

void report_stages_print(const struct plan *plan, void *stream) {
    FILE *out = stream;
    const struct plan_pipe *pipe = plan->pipe;
    for (int s = 0; s < pipe->nstages; ++s) {
        fprintf(out, "    stage %d, %.0f ns counted: lines", s + 1, pipe->costs[s]);
        lines_print(pipe, s, out);
    }
    for (int g = 0; g < pipe->nlate; ++g) {
        fprintf(out, "    late by %d ranges of iterations, with stage %d: lines",
                ranges_late(pipe, g), pipe->late[g].row + 1);
        lines_print(pipe, pipe->nstages + g, out);
    }
    for (int i = 0; i < pipe->nvalues; ++i) {
        const struct pipe_value *value = &pipe->values[i];
        if (!is_shared(value))
            continue;
        fprintf(out, "    travels: %s, stages", value->var->name);
        for (int s = 0; s < pipe->nstages + pipe->nlate; ++s)
            if (value->touched >> s & 1 && s < pipe->nstages)
                fprintf(out, " %d", s + 1);
            else if (value->touched >> s & 1)
                fprintf(out, " late %d", s - pipe->nstages + 1);
        fprintf(out, "%s\n", value->carried ? ", carried" : "");
    }
}
