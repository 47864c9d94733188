/*
 * JSON -> plans: form first, then does it fit the source, then is it legal.
 */
#include "scheduler/plan/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 8 };

/* One plan file being read. `steps`: the path to the value looked at. */
struct reader {
    struct unit *unit;
    int nplans;
    struct plan **plans;
    struct diag_list *diags;
    const char *path, *text;
    size_t size;
    int file;
    int nsteps;
    struct json_step steps[MAX_STEPS];
    struct plan **taken; /* per plan: the one that replaces it */
};

/* ---- places and messages ------------------------------------------------------------------------
 */

static struct loc loc_at(const struct reader *r, size_t offset) {
    struct loc loc = {.file = r->file, .line = 1, .column = 1, .offset = (unsigned)offset};
    for (size_t i = 0; i < offset && i < r->size; ++i) {
        loc.column = r->text[i] == '\n' ? 1 : loc.column + 1;
        loc.line += r->text[i] == '\n';
    }
    return loc;
}

static size_t value_length(const char *p) {
    if (*p == '"') {
        const char *end = strpbrk(p + 1, "\"\n");
        return end && *end == '"' ? (size_t)(end - p) + 1 : 1;
    }
    size_t word = strcspn(p, " \t\r\n,:{}[]\"");
    return word > 0 ? word : 1;
}

static struct range place(const struct reader *r) {
    size_t offset = plan_json_find(r->text, r->nsteps, r->steps);
    struct range range = {.exact = true, .begin = loc_at(r, offset)};
    range.end = loc_at(r, offset + value_length(r->text + offset));
    return range;
}

static void enter(struct reader *r, const char *member, int element) {
    if (r->nsteps < MAX_STEPS) {
        r->steps[r->nsteps] = (struct json_step){member, element};
    }
    r->nsteps++;
}

static void leave(struct reader *r) {
    r->nsteps--;
}

/* Says it at the value looked at, or at its member `member`. Always false. */
static bool fail(struct reader *r, const char *member, const char *code, const char *message,
                 const char *fix) {
    if (member) {
        enter(r, member, 0);
    }
    struct diag *diag = diag_add(r->diags, SEVERITY_ERROR, code, place(r), "%s", message);
    diag->fix = fix;
    if (member) {
        leave(r);
    }
    return false;
}

#define TEXT(r, ...) arena_printf((r)->unit->arena, __VA_ARGS__)

static const char *meant(struct reader *r, const char *word, const char *const *known, int n) {
    const char *nearest = diag_nearest(word, known, n);
    return nearest ? TEXT(r, "did you mean \"%s\"?", nearest) : NULL;
}

/* ---- form ---------------------------------------------------------------------------------------
 */

/* A member of an object: its name, the type it must have, and whether it must be there. What may be
 * one value or a list may be null, too. */
struct member {
    const char *name;
    json_type type, other_type;
    bool required;
};

static const char *type_name(json_type type) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object",    [JSON_ARRAY] = "a list",  [JSON_STRING] = "a string",
        [JSON_INTEGER] = "an integer",  [JSON_REAL] = "a number", [JSON_TRUE] = "a truth value",
        [JSON_FALSE] = "a truth value", [JSON_NULL] = "null"};
    return names[type];
}

static bool check_field(struct reader *r, const json_t *object, const struct member *field) {
    const json_t *value = json_object_get(object, field->name);
    if (!value) {
        return !field->required ||
               fail(r, NULL, "ORR9202", TEXT(r, "the field \"%s\" is missing", field->name), NULL);
    }
    if (json_typeof(value) == field->type || json_typeof(value) == field->other_type ||
        (field->other_type == JSON_ARRAY && field->type != JSON_ARRAY && json_is_null(value))) {
        return true;
    }
    return fail(r, field->name, "ORR9202",
                TEXT(r, "\"%s\" must be %s, not %s", field->name, type_name(field->type),
                     type_name(json_typeof(value))),
                NULL);
}

static bool check_object(struct reader *r, json_t *object, int n, const struct member *fields) {
    const char *names[16], *name;
    json_t *value;
    if (!json_is_object(object)) {
        return fail(r, NULL, "ORR9202", "this must be an object", NULL);
    }
    for (int i = 0; i < n; ++i) {
        names[i] = fields[i].name;
        if (!check_field(r, object, &fields[i])) {
            return false;
        }
    }
    json_object_foreach(object, name, value) {
        bool known = false;
        for (int i = 0; i < n; ++i) {
            known = known || strcmp(names[i], name) == 0;
        }
        if (!known) {
            return fail(r, name, "ORR9202", TEXT(r, "unknown field \"%s\"", name),
                        meant(r, name, names, n));
        }
    }
    return true;
}

static const char *string_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

/* ---- which loop ---------------------------------------------------------------------------------
 */

static bool same_function(const struct loop *loop, const char *function) {
    return loop->function && strcmp(loop->function->name, function) == 0;
}

/* The loop of the function with these tokens; among several, the one in this position. */
static struct loop *find_loop(const struct reader *r, const char *function, long ordinal,
                              const char *tokens) {
    struct loop *found = NULL;
    for (int i = 0; i < r->unit->nloops; ++i) {
        struct loop *loop = r->unit->loops[i];
        if (same_function(loop, function) && strcmp(plan_loop_hash(r->unit, loop), tokens) == 0) {
            if (plan_loop_ordinal(r->unit, loop) == ordinal) {
                return loop;
            }
            found = found ? found : loop;
        }
    }
    return found;
}

static bool no_such_loop(struct reader *r, const char *function, long ordinal) {
    int loops = 0;
    for (int i = 0; i < r->unit->nloops; ++i) {
        const struct loop *loop = r->unit->loops[i];
        if (!same_function(loop, function)) {
            continue;
        }
        if (loops++ == ordinal) {
            fail(r, "tokens", "ORR9205",
                 TEXT(r, "the loop at line %d of %s is not the one that this plan was made for",
                      loop->header.begin.line, r->unit->files[r->unit->main_file].name),
                 "write the plan anew with `orrery plan`");
            return false;
        }
    }
    return fail(r, loops ? "ordinal" : "function", "ORR9204",
                loops ? TEXT(r, "function %s has %d `for` loops, there is no number %ld", function,
                             loops, ordinal)
                      : TEXT(r, "the source has no function %s with a loop", function),
                NULL);
}

/* Index of the plan that this entry is for, or -1 after a message. */
static int match(struct reader *r, const json_t *entry) {
    const char *function = string_of(entry, "function");
    long ordinal = (long)json_integer_value(json_object_get(entry, "ordinal"));
    const struct loop *loop = find_loop(r, function, ordinal, string_of(entry, "tokens"));
    if (!loop) {
        no_such_loop(r, function, ordinal);
        return -1;
    }
    for (int i = 0; i < r->nplans; ++i) {
        if (r->plans[i]->analysis->loop == loop && r->taken[i]) {
            fail(r, NULL, "ORR9206", "this loop has two plans in the file", NULL);
            return -1;
        }
        if (r->plans[i]->analysis->loop == loop) {
            return i;
        }
    }
    fail(r, NULL, "ORR9204",
         TEXT(r, "the loop at line %d is not marked for Orrery", loop->header.begin.line),
         "put `#pragma orrery parallel` in front of it, or take the plan out of the file");
    return -1;
}

/* ---- what the plan says -------------------------------------------------------------------------
 */

static bool read_strategy(struct reader *r, const json_t *entry, struct plan *plan) {
    const char *names[STRATEGY_COUNT], *name = string_of(entry, "strategy");
    for (int i = 0; i < STRATEGY_COUNT; ++i) {
        names[i] = strategy_name((enum strategy)i);
        if (strcmp(names[i], name) == 0) {
            plan->strategy = (enum strategy)i;
            return true;
        }
    }
    return fail(r, "strategy", "ORR9207", TEXT(r, "unknown strategy \"%s\"", name),
                meant(r, name, names, STRATEGY_COUNT));
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
        if (n < 16) {
            names[n++] = analysis->dims[d].name;
        }
    }
    return !name ||
           fail(r, field, "ORR9208", TEXT(r, "the loop has no dim \"%s\"", name),
                n == 1 ? TEXT(r, "its only dim is \"%s\"", names[0]) : meant(r, name, names, n));
}

static bool read_dim(struct reader *r, const json_t *entry, const char *field,
                     const struct analysis *analysis, int *dim) {
    return name_dim(r, string_of(entry, field), field, analysis, dim);
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
        return fail(r, "time", "ORR9208", TEXT(r, "a plan has at most %d time dims", PLAN_DIMS - 1),
                    NULL);
    }
    for (int i = 0; i < ntimes; ++i) {
        const char *name = json_string_value(json_array_get(time, (size_t)i));
        if (!name) {
            return fail(r, "time", "ORR9202", "\"time\" must be a string or a list of strings",
                        NULL);
        }
        if (!name_dim(r, name, "time", plan->analysis, &plan->times[i])) {
            return false;
        }
    }
    plan->ntimes = ntimes;
    return true;
}

static bool read_grid(struct reader *r, const json_t *entry, struct plan *plan) {
    const json_t *grid = json_object_get(entry, "grid");
    size_t size = json_array_size(grid);
    if (grid && (size == 0 || size > PLAN_DIMS)) {
        return fail(r, "grid", "ORR9209",
                    TEXT(r, "a grid is a list of one to %d numbers", PLAN_DIMS), NULL);
    }
    for (size_t i = 0; i < size; ++i) {
        const json_t *number = json_array_get(grid, i);
        json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
        if (value < 0 || value > PLAN_GRID_LIMIT) {
            return fail(r, "grid", "ORR9209",
                        TEXT(r,
                             "the numbers of a grid are integers from 0 (chosen when the loop "
                             "starts) to %d",
                             PLAN_GRID_LIMIT),
                        NULL);
        }
        plan->grid[i] = i <= (size_t)plan->ntimes ? (long)value : 0;
    }
    return true;
}

static bool read_seed(struct reader *r, const json_t *entry, struct plan *plan) {
    const json_t *seed = json_object_get(entry, "seed");
    json_int_t value = seed ? json_integer_value(seed) : PLAN_SEED;
    plan->seed = (uint64_t)value;
    return value >= 0 || fail(r, "seed", "ORR9209", "the seed must not be negative", NULL);
}

/* ---- arrays -------------------------------------------------------------------------------------
 */

static struct plan_array *array_named(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->narrays; ++i) {
        struct arena *arena = plan->analysis->facts->unit->arena;
        if (strcmp(plan_array_name(arena, plan->arrays[i].object), name) == 0) {
            return &plan->arrays[i];
        }
    }
    return NULL;
}

static bool read_placement(struct reader *r, const json_t *entry, enum placement *placement) {
    const char *names[PLACE_UNPLACED + 1], *name = string_of(entry, "placement");
    for (int i = 0; i <= PLACE_UNPLACED; ++i) {
        names[i] = placement_name((enum placement)i);
        if (strcmp(names[i], name) == 0) {
            *placement = (enum placement)i;
            return true;
        }
    }
    return fail(r, "placement", "ORR9207", TEXT(r, "unknown placement \"%s\"", name),
                meant(r, name, names, PLACE_UNPLACED + 1));
}

/*
 * An entry that stands as Orrery wrote it follows the plan's dims; one that says something else is
 * an edit, taken when it is legal.
 */
static bool read_array(struct reader *r, json_t *entry, const struct plan *chosen,
                       struct plan *plan) {
    static const struct member fields[] = {{"name", JSON_STRING, JSON_STRING, true},
                                           {"placement", JSON_STRING, JSON_STRING, true},
                                           {"dim", JSON_STRING, JSON_NULL, false}};
    if (!check_object(r, entry, 3, fields)) {
        return false;
    }
    const char *name = string_of(entry, "name");
    struct plan_array edit = {.dim = -1}, *now = array_named(plan, name);
    const struct plan_array *old = array_named(chosen, name);
    if (!read_placement(r, entry, &edit.placement) ||
        !read_dim(r, entry, "dim", plan->analysis, &edit.dim)) {
        return false;
    }
    if (!now && !old) {
        return fail(r, "name", "ORR9208", TEXT(r, "the loop has no array \"%s\"", name), NULL);
    }
    if (!now || (old && old->placement == edit.placement && old->dim == edit.dim) ||
        (now->placement == edit.placement && now->dim == edit.dim)) {
        return true;
    }
    edit.object = now->object;
    edit.shape = plan_shape(plan, edit.object, edit.dim);
    const char *why = plan_place_check(plan, &edit);
    if (why) {
        return fail(r, "placement", "ORR9211",
                    TEXT(r, "%s cannot be %s%s%s: %s", name, placement_name(edit.placement),
                         edit.dim >= 0 ? " by " : "",
                         edit.dim >= 0 ? plan->analysis->dims[edit.dim].name : "", why),
                    NULL);
    }
    *now = edit;
    return true;
}

static bool read_arrays(struct reader *r, const json_t *entry, const struct plan *chosen,
                        struct plan *plan) {
    const json_t *list = json_object_get(entry, "arrays");
    bool good = true;
    enter(r, "arrays", 0);
    for (size_t i = 0; i < json_array_size(list) && good; ++i) {
        enter(r, NULL, (int)i);
        good = read_array(r, json_array_get(list, i), chosen, plan);
        leave(r);
    }
    leave(r);
    return good;
}

/* ---- one loop -----------------------------------------------------------------------------------
 */

static void finish_serial(struct plan *plan, const struct plan *chosen) {
    if (chosen->strategy == STRATEGY_SERIAL) {
        *plan = *chosen;
    } else {
        plan_make_serial(plan, "ORR2198", plan->analysis->loop->header,
                         "kept serial by the plan file", NULL);
    }
    plan->from_file = true;
}

static bool is_rotation(enum strategy strategy) {
    return strategy == STRATEGY_ROTATION_2D || strategy == STRATEGY_ROTATION_ND ||
           strategy == STRATEGY_ORDERED_ROTATION;
}

/* The dims a strategy goes by; those that it has no use for are not looked at. */
static bool settle_dims(struct reader *r, struct plan *plan) {
    bool pairs = plan->strategy == STRATEGY_TOURNAMENT;
    if (!pairs) {
        plan->partner = -1;
    }
    if (!pairs && !is_rotation(plan->strategy)) {
        plan->ntimes = 0;
    }
    if (plan->strategy == STRATEGY_LEVELS) {
        plan->space = -1;
        return true;
    }
    if (!plan->by_key) {
        plan->space = plan_variable_dim(plan->analysis);
        return true;
    }
    if (plan->space < 0) {
        return fail(r, "space", "ORR9208",
                    TEXT(r, "%s needs a space dim", strategy_name(plan->strategy)), NULL);
    }
    if (pairs && plan->partner < 0) {
        return fail(r, "partner", "ORR9208", "a tournament needs a partner of its space dim", NULL);
    }
    if (is_rotation(plan->strategy) && plan->ntimes == 0) {
        return fail(r, "time", "ORR9208",
                    TEXT(r, "%s needs a time dim", strategy_name(plan->strategy)), NULL);
    }
    return true;
}

static bool finish_parallel(struct reader *r, const json_t *entry, const struct plan *chosen,
                            struct plan *plan) {
    if (!settle_dims(r, plan)) {
        return false;
    }
    bool keyed = false;
    const char *violated = plan_is_listed(plan) ? plan_levels(plan, &keyed) : NULL;
    violated = violated ? violated : plan_check(plan);
    if (violated) {
        return fail(r, "strategy", "ORR9210", TEXT(r, "this plan is not legal: %s", violated),
                    "`orrery plan` writes one that is");
    }
    plan_place(plan);
    plan_explain_parallel(plan);
    return read_arrays(r, entry, chosen, plan);
}

static bool read_loop(struct reader *r, json_t *entry) {
    static const struct member fields[] = {
        {"function", JSON_STRING, JSON_STRING, true}, {"ordinal", JSON_INTEGER, JSON_INTEGER, true},
        {"line", JSON_INTEGER, JSON_INTEGER, false},  {"tokens", JSON_STRING, JSON_STRING, true},
        {"strategy", JSON_STRING, JSON_STRING, true}, {"space", JSON_STRING, JSON_NULL, false},
        {"partner", JSON_STRING, JSON_NULL, false},   {"grid", JSON_ARRAY, JSON_ARRAY, false},
        {"time", JSON_STRING, JSON_ARRAY, false},     {"seed", JSON_INTEGER, JSON_INTEGER, false},
        {"arrays", JSON_ARRAY, JSON_ARRAY, false},    {"reason", JSON_OBJECT, JSON_OBJECT, false}};
    int i;
    if (!check_object(r, entry, sizeof fields / sizeof *fields, fields) ||
        (i = match(r, entry)) < 0) {
        return false;
    }
    const struct plan *chosen = r->plans[i];
    struct plan *plan = arena_alloc(r->unit->arena, sizeof *plan);
    *plan = (struct plan){
        .analysis = chosen->analysis, .where = chosen->analysis->loop->header, .from_file = true};
    if (!read_strategy(r, entry, plan) ||
        !read_dim(r, entry, "space", plan->analysis, &plan->space) ||
        !read_dim(r, entry, "partner", plan->analysis, &plan->partner) ||
        !read_times(r, entry, plan) || !read_grid(r, entry, plan) || !read_seed(r, entry, plan)) {
        return false;
    }
    plan->by_key = plan->strategy == STRATEGY_PARTITION_1D ||
                   plan->strategy == STRATEGY_TOURNAMENT || plan->strategy == STRATEGY_LEVELS ||
                   is_rotation(plan->strategy);
    if (plan->strategy == STRATEGY_SERIAL) {
        finish_serial(plan, chosen);
    } else if (!finish_parallel(r, entry, chosen, plan)) {
        return false;
    }
    r->taken[i] = plan;
    return true;
}

static bool read_root(struct reader *r, json_t *root) {
    static const struct member fields[] = {{"schema", JSON_STRING, JSON_STRING, true},
                                           {"file", JSON_STRING, JSON_STRING, false},
                                           {"loops", JSON_ARRAY, JSON_ARRAY, true}};
    if (!check_object(r, root, 3, fields)) {
        return false;
    }
    if (strcmp(string_of(root, "schema"), PLAN_SCHEMA) != 0) {
        return fail(
            r, "schema", "ORR9203",
            TEXT(r, "schema \"%s\" is not one that this Orrery reads", string_of(root, "schema")),
            "it reads \"" PLAN_SCHEMA "\"");
    }
    const json_t *loops = json_object_get(root, "loops");
    bool good = true;
    enter(r, "loops", 0);
    for (size_t i = 0; i < json_array_size(loops); ++i) {
        enter(r, NULL, (int)i);
        good = read_loop(r, json_array_get(loops, i)) && good;
        leave(r);
    }
    leave(r);
    return good;
}

/* ---- the file -----------------------------------------------------------------------------------
 */

static char *read_text(struct arena *arena, FILE *in, size_t *size) {
    char *text = NULL, *bytes = NULL;
    size_t room = 0, n;
    for (*size = 0;; *size += n) {
        if (*size + 4096 > room) {
            room = room * 2 + 8192;
            bytes = realloc(text, room);
            if (!bytes) {
                abort();
            }
            text = bytes;
        }
        n = fread(text + *size, 1, 4096, in);
        if (n == 0) {
            break;
        }
    }
    char *copy = arena_strndup(arena, text, *size);
    free(text);
    return copy;
}

/* The plan file becomes one of the unit's files, so that messages can show its lines. */
static bool open_file(struct reader *r) {
    FILE *in = fopen(r->path, "r");
    char *text = in ? read_text(r->unit->arena, in, &r->size) : NULL;
    bool good = in && !ferror(in);
    int error = errno;
    if (in) {
        fclose(in);
    }
    if (!good) {
        struct range nowhere = {.begin.file = -1, .end.file = -1};
        diag_add(r->diags, SEVERITY_ERROR, "ORR9201", nowhere, "cannot read the plan file %s: %s",
                 r->path, strerror(error));
        return false;
    }
    struct source_file file = {r->path, text, r->size};
    r->text = text;
    r->file = r->unit->nfiles;
    ARENA_PUSH(r->unit->arena, r->unit->files, r->unit->nfiles, file);
    return true;
}

static json_t *parse(struct reader *r) {
    json_error_t error;
    json_t *root = json_loadb(r->text, r->size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        size_t offset = error.position > 0 ? (size_t)error.position - 1 : 0;
        struct range range = {.exact = true, .begin = loc_at(r, offset)};
        range.end = loc_at(r, offset + 1);
        diag_add(r->diags, SEVERITY_ERROR, "ORR9201", range, "this is not JSON: %s", error.text);
    }
    return root;
}

int plan_file_read(const char *path, struct unit *unit, int nplans, struct plan **plans,
                   struct diag_list *diags) {
    struct reader r = {
        .unit = unit, .nplans = nplans, .plans = plans, .diags = diags, .path = path};
    r.taken = arena_alloc(unit->arena, ((size_t)nplans + 1) * sizeof *r.taken);
    json_t *root = open_file(&r) ? parse(&r) : NULL;
    bool good = root && read_root(&r, root);
    json_decref(root);
    for (int i = 0; good && i < nplans; ++i) {
        plans[i] = r.taken[i] ? r.taken[i] : plans[i];
    }
    return good ? 0 : -1;
}
