/*
 * JSON -> plans: form first, then does it fit the source, then is it legal.
 */
#include "scheduler/choose/file_form.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* One plan file being read into plans. `taken`: per plan the one that replaces it. */
struct reader {
    struct plan_form form;
    int nplans;
    struct plan **plans;
    struct plan **taken;
};
/* ---- which loop ------------------------------------------------------------------------------ */

static bool same_function(const struct loop *loop, const char *function) {
    return loop->function && strcmp(loop->function->name, function) == 0;
}

/* The loop of the function with these tokens; among several, the one in this position. */
static struct loop *find_loop(const struct reader *r, const char *function, long ordinal,
                              const char *tokens) {
    struct loop *found = NULL;
    for (int i = 0; i < r->form.unit->nloops; ++i) {
        struct loop *loop = r->form.unit->loops[i];
        if (same_function(loop, function) &&
            strcmp(plan_loop_hash(r->form.unit, loop), tokens) == 0) {
            if (plan_loop_ordinal(r->form.unit, loop) == ordinal)
                return loop;
            found = found ? found : loop;
        }
    }
    return found;
}

static bool no_such_loop(struct reader *r, const char *function, long ordinal) {
    int loops = 0;
    for (int i = 0; i < r->form.unit->nloops; ++i) {
        const struct loop *loop = r->form.unit->loops[i];
        if (!same_function(loop, function))
            continue;
        if (loops++ == ordinal) {
            form_fail(
                &r->form, "tokens", ORR9205,
                FORM_TEXT(&r->form,
                          "the loop at line %d of %s is not the one that this plan was made for",
                          loop->header.begin.line,
                          r->form.unit->files[r->form.unit->main_file].name),
                "write the plan anew with `orrery plan`");
            return false;
        }
    }
    return form_fail(
        &r->form, loops ? "ordinal" : "function", ORR9204,
        loops ? FORM_TEXT(&r->form, "function %s has %d `for` loops, there is no number %ld",
                          function, loops, ordinal)
              : FORM_TEXT(&r->form, "the source has no function %s with a loop", function),
        "write the plan anew with `orrery plan`");
}

/* Index of the plan that this entry is for, or -1 after a message. */
static int match(struct reader *r, const json_t *entry) {
    const char *function = form_string(entry, "function");
    long ordinal = (long)json_integer_value(json_object_get(entry, "ordinal"));
    const struct loop *loop = find_loop(r, function, ordinal, form_string(entry, "tokens"));
    if (!loop) {
        no_such_loop(r, function, ordinal);
        return -1;
    }
    for (int i = 0; i < r->nplans; ++i) {
        if (r->plans[i]->analysis->loop == loop && r->taken[i]) {
            form_fail(&r->form, NULL, ORR9206, "this loop has two plans in the file",
                      "keep one of them");
            return -1;
        }
        if (r->plans[i]->analysis->loop == loop)
            return i;
    }
    form_fail(&r->form, NULL, ORR9204,
              FORM_TEXT(&r->form, "the loop at line %d is not marked for Orrery",
                        loop->header.begin.line),
              "put `#pragma orrery parallel` in front of it, or take the plan out of the file");
    return -1;
}

/* ---- what the plan says ---------------------------------------------------------------------- */

static bool read_strategy(struct reader *r, const json_t *entry, struct plan *plan) {
    const char *names[STRATEGY_COUNT], *name = form_string(entry, "strategy");
    if (strategy_find(name, &plan->strategy))
        return true;
    for (int i = 0; i < STRATEGY_COUNT; ++i)
        names[i] = strategy_name((enum strategy)i);
    return form_fail(&r->form, "strategy", ORR9207,
                     FORM_TEXT(&r->form, "unknown strategy \"%s\"", name),
                     form_meant(&r->form, name, names, STRATEGY_COUNT));
}

static bool name_dim(struct reader *r, const char *name, const char *field,
                     const struct analysis *analysis, int *dim) {
    const char *names[16];
    int n = 0;
    *dim = -1;
    for (int d = 0; name && d < analysis->ndims; ++d) {
        if (strcmp(analysis->dims[d].name, name) == 0) {
            *dim = d;
            return true;
        }
        if (n < 16)
            names[n++] = analysis->dims[d].name;
    }
    return !name || form_fail(&r->form, field, ORR9208,
                              FORM_TEXT(&r->form, "the loop has no dim \"%s\"", name),
                              n == 1 ? FORM_TEXT(&r->form, "its only dim is \"%s\"", names[0])
                                     : form_meant(&r->form, name, names, n));
}

static bool read_dim(struct reader *r, const json_t *entry, const char *field,
                     const struct analysis *analysis, int *dim) {
    return name_dim(r, form_string(entry, field), field, analysis, dim);
}

/* One name, or a list of them. */
static bool read_times(struct reader *r, const json_t *entry, struct plan *plan) {
    const json_t *time = json_object_get(entry, "time");
    int dim, ntimes = (int)json_array_size(time);
    if (!json_is_array(time)) {
        bool good = read_dim(r, entry, "time", plan->analysis, &dim);
        plan->ntimes = good && dim >= 0;
        plan->times[0] = dim;
        return good;
    }
    if (ntimes > PLAN_DIMS - 1) {
        return form_fail(&r->form, "time", ORR9208,
                         FORM_TEXT(&r->form, "a plan has at most %d time dims", PLAN_DIMS - 1),
                         NULL);
    }
    for (int i = 0; i < ntimes; ++i) {
        const char *name = json_string_value(json_array_get(time, (size_t)i));
        if (!name) {
            return form_fail(&r->form, "time", ORR9202,
                             "\"time\" must be a string or a list of strings", NULL);
        }
        if (!name_dim(r, name, "time", plan->analysis, &plan->times[i]))
            return false;
    }
    plan->ntimes = ntimes;
    return true;
}

static bool read_grid(struct reader *r, const json_t *entry, struct plan *plan) {
    const json_t *grid = json_object_get(entry, "grid");
    size_t size = json_array_size(grid);
    if (grid && (size == 0 || size > PLAN_DIMS)) {
        return form_fail(&r->form, "grid", ORR9209,
                         FORM_TEXT(&r->form, "a grid is a list of one to %d numbers", PLAN_DIMS),
                         "leave it out: the grid is chosen from the data");
    }
    for (size_t i = 0; i < size; ++i) {
        const json_t *number = json_array_get(grid, i);
        json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
        if (value < 0 || value > PLAN_GRID_LIMIT) {
            return form_fail(
                &r->form, "grid", ORR9209,
                FORM_TEXT(&r->form,
                          "the numbers of a grid are integers from 0 (chosen when the loop "
                          "starts) to %d",
                          PLAN_GRID_LIMIT),
                "leave it out: the grid is chosen from the data");
        }
        plan->grid[i] = i < (size_t)plan_grid_numbers(plan) ? (long)value : 0;
    }
    return true;
}

static bool read_seed(struct reader *r, const json_t *entry, struct plan *plan) {
    const json_t *seed = json_object_get(entry, "seed");
    json_int_t value = seed ? json_integer_value(seed) : PLAN_SEED;
    plan->seed = (uint64_t)value;
    return value >= 0 || form_fail(&r->form, "seed", ORR9209, "the seed must not be negative",
                                   "leave it out, or write 0 or more");
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static struct plan_array *array_named(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->narrays; ++i) {
        struct arena *arena = plan->analysis->facts->unit->arena;
        if (strcmp(plan_array_name(arena, plan->arrays[i].object), name) == 0)
            return &plan->arrays[i];
    }
    return NULL;
}

static bool read_placement(struct reader *r, const json_t *entry, enum placement *placement) {
    const char *names[PLACE_UNPLACED + 1], *name = form_string(entry, "placement");
    for (int i = 0; i <= PLACE_UNPLACED; ++i) {
        names[i] = placement_name((enum placement)i);
        if (strcmp(names[i], name) == 0) {
            *placement = (enum placement)i;
            return true;
        }
    }
    return form_fail(&r->form, "placement", ORR9207,
                     FORM_TEXT(&r->form, "unknown placement \"%s\"", name),
                     form_meant(&r->form, name, names, PLACE_UNPLACED + 1));
}

/*
 * An entry that stands as Orrery wrote it follows the plan's dims; one that says something else is
 * an edit, taken when it is legal.
 */
static bool read_array(struct reader *r, json_t *entry, const struct plan *chosen,
                       struct plan *plan) {
    if (!form_array(&r->form, entry))
        return false;
    const char *name = form_string(entry, "name");
    struct plan_array edit = {.dim = -1}, *now = array_named(plan, name);
    const struct plan_array *old = array_named(chosen, name);
    if (!read_placement(r, entry, &edit.placement) ||
        !read_dim(r, entry, "dim", plan->analysis, &edit.dim))
        return false;
    if (!now && !old) {
        return form_fail(&r->form, "name", ORR9208,
                         FORM_TEXT(&r->form, "the loop has no array \"%s\"", name), NULL);
    }
    if (!now || (old && old->placement == edit.placement && old->dim == edit.dim) ||
        (now->placement == edit.placement && now->dim == edit.dim))
        return true;
    edit.object = now->object;
    edit.shape = plan_shape(plan, edit.object, edit.dim);
    const char *why = plan_place_check(plan, &edit);
    if (why) {
        return form_fail(&r->form, "placement", ORR9211,
                         FORM_TEXT(&r->form, "%s cannot be %s%s%s: %s", name,
                                   placement_name(edit.placement), edit.dim >= 0 ? " by " : "",
                                   edit.dim >= 0 ? plan->analysis->dims[edit.dim].name : "", why),
                         "leave the entry out: the plan's dims say where the array is");
    }
    *now = edit;
    return true;
}

static bool read_arrays(struct reader *r, const json_t *entry, const struct plan *chosen,
                        struct plan *plan) {
    const json_t *list = json_object_get(entry, "arrays");
    bool good = true;
    form_enter(&r->form, "arrays", 0);
    for (size_t i = 0; i < json_array_size(list) && good; ++i) {
        form_enter(&r->form, NULL, (int)i);
        good = read_array(r, json_array_get(list, i), chosen, plan);
        form_leave(&r->form);
    }
    form_leave(&r->form);
    return good;
}

/* ---- one loop -------------------------------------------------------------------------------- */

static void finish_serial(struct plan *plan, const struct plan *chosen) {
    if (chosen->strategy == STRATEGY_SERIAL) {
        *plan = *chosen;
    } else {
        plan_make_serial(plan, ORR2198, plan->analysis->loop->header,
                         "kept serial by the plan file", NULL);
    }
    plan->from_file = true;
}

/* The dims a strategy goes by; those that it has no use for are not looked at. */
static bool settle_dims(struct reader *r, struct plan *plan) {
    const struct strategy_ops *ops = strategy_of(plan);
    if (!strategy_form(plan->strategy)->pairs)
        plan->partner = -1;
    if (ops->most_times == 0)
        plan->ntimes = 0;
    if (ops->space != SPACE_KEY) {
        plan->space = ops->space == SPACE_NONE ? -1 : plan_variable_dim(plan->analysis);
        return true;
    }
    if (plan->space < 0) {
        return form_fail(&r->form, "space", ORR9208,
                         FORM_TEXT(&r->form, "%s needs a space dim", strategy_name(plan->strategy)),
                         NULL);
    }
    if (strategy_form(plan->strategy)->pairs && plan->partner < 0) {
        return form_fail(&r->form, "partner", ORR9208,
                         "a tournament needs a partner of its space dim", NULL);
    }
    if (ops->least_times > 0 && plan->ntimes == 0) {
        return form_fail(&r->form, "time", ORR9208,
                         FORM_TEXT(&r->form, "%s needs a time dim", strategy_name(plan->strategy)),
                         NULL);
    }
    return true;
}

static const char legal_fix[] = "`orrery plan` writes one that is";

/* Both accesses are shown: which two iterations would run together. */
static bool refuse(struct reader *r, const struct plan_violation *violation) {
    struct diag_list *diags = r->form.diags;
    const struct access *ends[] = {violation->source, violation->sink};
    form_fail(&r->form, "strategy", ORR9210,
              FORM_TEXT(&r->form, "this plan is not legal: %s", violation->words), legal_fix);
    struct diag *diag = &diags->items[diags->count - 1];
    for (int i = 0; ends[0] && i < (ends[0] == ends[1] ? 1 : 2); ++i) {
        diag_note(diags, diag, ends[i]->range, "'%s' is %s here by %s", ends[i]->text,
                  ends[i]->write ? "written" : "read",
                  ends[0] == ends[1] ? "two iterations"
                  : i == 0           ? "one iteration"
                                     : "another");
    }
    return false;
}

static bool finish_parallel(struct reader *r, const json_t *entry, const struct plan *chosen,
                            struct plan *plan) {
    if (!settle_dims(r, plan))
        return false;
    struct plan_violation violation = {NULL, NULL, NULL};
    if (strategy_of(plan)->complete)
        violation = strategy_of(plan)->complete(plan);
    if (!violation.words)
        violation = plan_violation(plan);
    if (violation.words)
        return refuse(r, &violation);
    plan_place(plan);
    plan_explain_parallel(plan);
    if (plan_same_dims(plan, chosen)) {
        plan->predicted = chosen->predicted;
        plan->assumed = chosen->assumed;
        plan->nrejected = chosen->nrejected;
        plan->rejected = chosen->rejected;
    }
    return read_arrays(r, entry, chosen, plan);
}

static bool read_loop(struct reader *r, json_t *entry) {
    int i;
    if (!form_loop(&r->form, entry) || (i = match(r, entry)) < 0)
        return false;
    const struct plan *chosen = r->plans[i];
    struct plan *plan = arena_alloc(r->form.unit->arena, sizeof *plan);
    *plan = (struct plan){
        .analysis = chosen->analysis, .where = chosen->analysis->loop->header, .from_file = true};
    if (!read_strategy(r, entry, plan) ||
        !read_dim(r, entry, "space", plan->analysis, &plan->space) ||
        !read_dim(r, entry, "partner", plan->analysis, &plan->partner) ||
        !read_times(r, entry, plan) || !read_grid(r, entry, plan) || !read_seed(r, entry, plan))
        return false;
    plan->by_key = strategy_of(plan)->by_key;
    if (plan->strategy == STRATEGY_SERIAL)
        finish_serial(plan, chosen);
    else if (!finish_parallel(r, entry, chosen, plan))
        return false;
    r->taken[i] = plan;
    return true;
}

static bool read_root(struct reader *r, json_t *root) {
    if (!form_root(&r->form, root))
        return false;
    const json_t *loops = json_object_get(root, "loops");
    bool good = true;
    form_enter(&r->form, "loops", 0);
    for (size_t i = 0; i < json_array_size(loops); ++i) {
        form_enter(&r->form, NULL, (int)i);
        good = read_loop(r, json_array_get(loops, i)) && good;
        form_leave(&r->form);
    }
    form_leave(&r->form);
    return good;
}

int plan_file_read(const char *path, struct unit *unit, int nplans, struct plan **plans,
                   struct diag_list *diags) {
    struct reader r = {
        .form = {.unit = unit, .diags = diags, .path = path}, .nplans = nplans, .plans = plans};
    r.taken = arena_alloc(unit->arena, ((size_t)nplans + 1) * sizeof *r.taken);
    json_t *root = form_open(&r.form) ? form_parse(&r.form) : NULL;
    bool good = root && read_root(&r, root);
    json_decref(root);
    for (int i = 0; good && i < nplans; ++i)
        plans[i] = r.taken[i] ? r.taken[i] : plans[i];
    return good ? 0 : -1;
}
