/*
 * Plans -> JSON (docs/plan.md).
 */
#include "scheduler/choose/file.h"
#include "scheduler/choose/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *dim_json(const struct plan *plan, int dim) {
    return dim >= 0 ? json_string(plan->analysis->dims[dim].name) : json_null();
}

/* One time dim by its name, several as a list. */
static json_t *times_json(const struct plan *plan) {
    if (plan->ntimes < 2)
        return dim_json(plan, plan->ntimes ? plan->times[0] : -1);
    json_t *list = json_array();
    for (int i = 0; i < plan->ntimes; ++i)
        json_array_append_new(list, dim_json(plan, plan->times[i]));
    return list;
}

static json_t *grid_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan_grid_numbers(plan); ++i)
        json_array_append_new(list, json_integer(plan->grid[i]));
    return list;
}

const char *plan_array_name(struct arena *arena, const struct object *object) {
    static const char *const tables[] = {"", "[]", "[][]"};
    return arena_printf(arena, "%s%s", object->name, tables[object->ntables]);
}

static json_t *arrays_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *a = &plan->arrays[i];
        json_array_append_new(
            list,
            json_pack("{s:s, s:s, s:o}", "name",
                      plan_array_name(plan->analysis->facts->unit->arena, a->object), "placement",
                      placement_name(a->placement), "dim", dim_json(plan, a->dim)));
    }
    return list;
}

json_t *plan_memory_json(const struct plan *plan, json_t *(*string)(const char *text)) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    json_t *list = json_array();
    for (int i = 0; plan->strategy != STRATEGY_SERIAL && i < plan->narrays; ++i) {
        const struct plan_array *a = &plan->arrays[i];
        struct plan_memory memory = plan_memory(plan, a);
        json_array_append_new(list, json_pack("{s:o, s:s, s:o, s:b}", "array",
                                              string(plan_array_name(arena, a->object)),
                                              "placement", placement_name(a->placement), "bytes",
                                              memory.bytes ? string(memory.bytes) : json_null(),
                                              "whole", memory.whole));
    }
    return list;
}

static json_t *rejected_json(const struct plan_rejected *rejected) {
    const struct plan *plan = &rejected->plan;
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    json_t *cut = json_array();
    for (int i = 0; i < nkeys; ++i)
        json_array_append_new(cut, dim_json(plan, keys[i]));
    return json_pack("{s:s, s:o, s:f, s:s}", "strategy", strategy_name(plan->strategy), "cut", cut,
                     "times_as_long", rejected->ratio, "because", rejected->because);
}

static json_t *best_json(const struct plan_best *best) {
    if (!best)
        return NULL;
    json_t *runs = json_array();
    for (int i = 0; i < best->nruns; ++i) {
        json_array_append_new(runs,
                              json_pack("{s:I, s:I, s:f}", "ranks", (json_int_t)best->runs[i].ranks,
                                        "threads", (json_int_t)best->runs[i].threads,
                                        "times_as_long", best->runs[i].ratio));
    }
    return json_pack("{s:I, s:I, s:[I, I], s:f, s:[I, I], s:f, s:i, s:o}", "ranks",
                     (json_int_t)best->ranks, "threads", (json_int_t)best->threads, "grid",
                     (json_int_t)best->grid[0], (json_int_t)best->grid[1], "seconds", best->seconds,
                     "measured_grid", (json_int_t)best->before[0], (json_int_t)best->before[1],
                     "measured_grid_times_as_long", best->ratio, "grids_tried", best->tried,
                     "rejected_runs", runs);
}

json_t *plan_why_json(const struct plan *plan) {
    json_t *list = json_array();
    for (int i = 0; i < plan->nrejected; ++i)
        json_array_append_new(list, rejected_json(&plan->rejected[i]));
    return json_pack("{s:f, s:s, s:s*, s:o, s:o*}", "predicted_seconds", plan->predicted, "on",
                     plan->assumed, "bytes_per_rank", plan->bytes_per_rank, "rejected", list,
                     "best", best_json(plan->best));
}

static json_t *plan_json(const struct unit *unit, const struct plan *plan) {
    const struct loop *loop = plan->analysis->loop;
    json_t *partner = strategy_form(plan->strategy)->pairs ? dim_json(plan, plan->partner) : NULL;
    return json_pack(
        "{s:s, s:i, s:i, s:s, s:s, s:o, s:o*, s:o, s:o, s:I, s:o, s:o, s:{s:s, s:s}, s:o*}",
        "function", loop->function->name, "ordinal", plan_loop_ordinal(unit, loop), "line",
        loop->header.begin.line, "tokens", plan_loop_hash(unit, loop), "strategy",
        strategy_name(plan->strategy), "space", dim_json(plan, plan->space), "partner", partner,
        "time", times_json(plan), "grid", grid_json(plan), "seed", (json_int_t)plan->seed, "arrays",
        arrays_json(plan), "memory", plan_memory_json(plan, json_string), "reason", "code",
        plan->code, "message", plan->message, "why", plan->assumed ? plan_why_json(plan) : NULL);
}

static json_t *plans_json(const struct unit *unit, int nplans, struct plan **plans) {
    json_t *loops = json_array();
    for (int i = 0; i < nplans; ++i)
        json_array_append_new(loops, plan_json(unit, plans[i]));
    return json_pack("{s:s, s:s, s:o}", "schema", PLAN_SCHEMA, "file",
                     unit->files[unit->main_file].name, "loops", loops);
}

/* The plans of one unit as the text of a plan file (arena); NULL: a name is not UTF-8. */
static const char *plan_file_text(const struct unit *unit, int nplans, struct plan **plans) {
    json_t *root = plans_json(unit, nplans, plans);
    char *text =
        root ? json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(4))
             : NULL;
    const char *copy = text ? arena_strdup(unit->arena, text) : NULL;
    free(text);
    json_decref(root);
    return copy;
}

int plan_file_write(const char *path, const struct unit *unit, int nplans, struct plan **plans) {
    FILE *out = fopen(path, "w");
    if (!out)
        return -1;
    const char *text = plan_file_text(unit, nplans, plans);
    bool good = text && fwrite(text, strlen(text), 1, out) == 1 && fputc('\n', out) != EOF;
    int error = text ? errno : EILSEQ;
    if (fclose(out) != 0) {
        good = false;
        error = errno;
    }
    errno = error;
    return good ? 0 : -1;
}
