#include "cli/emit_accesses.h"

#include "tools/report/report.h"

#include <stdlib.h>
#include <string.h>

/*
 * What may excuse that iterations meet in an object or a variable, one letter each
 * (docs/accesses.md): c carried, r reduction, x relaxed or buffered, p private, i moved by the loop
 * itself. Carried and guarded is what emit_vectors.c says.
 */
struct roles {
    char letters[8];
};

static void roles_add(struct roles *roles, char letter) {
    if (!strchr(roles->letters, letter))
        roles->letters[strlen(roles->letters)] = letter;
}

/* ---- objects --------------------------------------------------------------------------------- */

static void roles_of_reductions(const struct loop_facts *facts, const struct object *object,
                                struct roles *roles) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object == object)
            roles_add(roles, reduction_is_merged(&facts->reductions[i]) ? 'x' : 'r');
}

static bool is_plain(const struct object *object) {
    return object->var && (object->kind == OBJECT_SCALAR || object->kind == OBJECT_ARRAY);
}

static struct roles roles_of_object(const struct analysis *analysis, const struct object *object) {
    const struct loop_facts *facts = analysis->facts;
    struct roles roles = {""};
    for (int i = 0; i < analysis->ndeps; ++i) {
        enum dep_status status = analysis->deps[i].status;
        if (analysis->deps[i].object == object && dep_status_holds(status))
            roles_add(&roles, 'c');
    }
    roles_of_reductions(facts, object, &roles);
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object == object)
            roles_add(&roles, 'p');
    for (int i = 0; i < facts->nprivates; ++i)
        if (is_plain(object) && facts->privates[i].var == object->var)
            roles_add(&roles, 'p');
    return roles;
}

/* The first of the objects that a variable is, or parts of it are; -1: the loop's accesses do not
 * speak of it. */
static int object_of_variable(const struct plan *plan, const struct variable *variable) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nobjects; ++i)
        if (is_plain(facts->objects[i]) && facts->objects[i]->var == variable)
            return i;
    return -1;
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool counts_inside(const struct unit *unit, const struct loop *loop,
                          const struct variable *variable) {
    for (int i = 0; i < unit->nloops; ++i) {
        const struct loop *inner = unit->loops[i];
        if (inner->variable != variable || !inner->lower)
            continue;
        for (; inner; inner = inner->parent)
            if (inner == loop)
                return true;
    }
    return false;
}

static void roles_of_choices(const struct loop_facts *facts, const struct variable *variable,
                             struct roles *roles) {
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct argmin *argmin = facts->reductions[i].argmin;
        for (int k = 0; argmin && k < argmin->nmembers; ++k)
            if (argmin->members[k] == variable)
                roles_add(roles, 'r');
    }
}

/* What is said of it beside what is said of its object. */
static struct roles roles_of_variable(const struct plan *plan, const struct variable *variable) {
    const struct loop_facts *facts = plan->analysis->facts;
    const struct loop *loop = plan->analysis->loop;
    struct roles roles = {""};
    for (int i = 0; i < facts->nprivates; ++i)
        if (facts->privates[i].var == variable)
            roles_add(&roles, 'p');
    if ((loop->canonical && loop->variable == variable) || inductions_has(facts, variable))
        roles_add(&roles, 'i');
    if (counts_inside(facts->unit, loop, variable))
        roles_add(&roles, 'p');
    roles_of_choices(facts, variable, &roles);
    for (int i = 0; plan->pipe && i < plan->pipe->nvalues; ++i)
        if (plan->pipe->values[i].carried && plan->pipe->values[i].var == variable)
            roles_add(&roles, 'c');
    return roles;
}

/* ---- one loop -------------------------------------------------------------------------------- */

static json_t *variables_json(const struct plan *plan, const struct marked_loop *marked) {
    json_t *list = json_array();
    for (int i = 0; i < marked->nvariables; ++i) {
        struct roles roles = {""};
        if (plan)
            roles = roles_of_variable(plan, marked->variables[i]);
        json_array_append_new(
            list, json_pack("[o, s, i]", report_string(marked->variables[i]->name), roles.letters,
                            plan ? object_of_variable(plan, marked->variables[i]) : -1));
    }
    return list;
}

/* [name, roles, the first object of the same variable, -1: what a pointer leads to]. */
static json_t *objects_json(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    json_t *list = json_array();
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *object = facts->objects[i];
        struct roles roles = roles_of_object(plan->analysis, object);
        int first = is_plain(object) ? object_of_variable(plan, object->var) : -1;
        json_array_append_new(
            list, json_pack("[o, s, i]", report_string(object->name), roles.letters, first));
    }
    return list;
}

/* [file, line, column, last line, last column, object's index, written, of a reduction]. */
static json_t *places_json(const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        const struct range *at = &a->range;
        int object = 0;
        while (object + 1 < facts->nobjects && facts->objects[object] != a->object)
            ++object;
        if (at->begin.file >= 0)
            json_array_append_new(list,
                                  json_pack("[i, i, i, i, i, i, b, b]", at->begin.file,
                                            at->begin.line, at->begin.column, at->end.line,
                                            at->end.column, object, a->write, a->reduction >= 0));
    }
    return list;
}

static json_t *guards_json(const struct loop_facts *facts) {
    json_t *list = json_array();
    for (int i = 0; i < facts->nguards; ++i)
        json_array_append_new(list, report_string(facts->guards[i].text));
    return list;
}

static const struct plan *plan_of(const struct compilation *pipeline, const struct loop *loop) {
    for (int i = 0; i < pipeline->nplans; ++i)
        if (pipeline->plans[i]->analysis->loop == loop)
            return pipeline->plans[i];
    return NULL;
}

static json_t *loop_json(const struct compilation *pipeline, const struct marked_loop *marked) {
    const struct loop *loop = marked->loop;
    const struct plan *plan = plan_of(pipeline, loop);
    json_t *json = json_pack("{s:i, s:i, s:o, s:i, s:b}", "line", loop->header.begin.line, "column",
                             loop->header.begin.column, "function",
                             report_string(loop->function ? loop->function->name : NULL), "depth",
                             loop->depth, "marked", loop_is_marked(loop));
    if (marked->why_not)
        json_object_set_new(json, "unseen", report_string(marked->why_not));
    if (!plan) {
        json_object_set_new(json, "verdict", json_string("serial"));
        json_object_set_new(json, "code", json_string(ORR2223));
        json_object_set_new(json, "message", json_string("the loop's header is not canonical"));
        json_object_set_new(json, "strategy", json_string("serial"));
        json_object_set_new(json, "order", json_string("ordered"));
        json_object_set_new(json, "auto", json_false());
        json_object_set_new(json, "variables", variables_json(NULL, marked));
        return json;
    }
    bool serial = plan->strategy == STRATEGY_SERIAL;
    json_object_set_new(json, "verdict", json_string(serial ? "serial" : "parallel"));
    json_object_set_new(json, "strategy", json_string(strategy_name(plan->strategy)));
    json_object_set_new(json, "order",
                        json_string(plan->analysis->unordered ? "unordered" : "ordered"));
    json_object_set_new(json, "code", report_string(plan->code));
    json_object_set_new(json, "message", report_string(plan->message));
    json_object_set_new(json, "auto", json_boolean(!compile_left_alone(pipeline, plan)));
    json_object_set_new(json, "variables", variables_json(plan, marked));
    json_object_set_new(json, "objects", objects_json(plan));
    json_object_set_new(json, "accesses", places_json(plan->analysis->facts));
    json_object_set_new(json, "guards", guards_json(plan->analysis->facts));
    if (!serial)
        emit_vectors_add(json, plan, marked);
    return json;
}

const char *emit_accesses_table(const struct compilation *pipeline, struct marks *marks) {
    const struct unit *unit = pipeline->unit;
    json_t *files = json_array(), *loops = json_array();
    for (int i = 0; i < unit->nfiles; ++i)
        json_array_append_new(files, report_string(unit->files[i].name));
    for (int i = 0; i < marks->nloops; ++i) {
        const struct plan *plan = plan_of(pipeline, marks->loops[i].loop);
        if (plan && plan->strategy != STRATEGY_SERIAL)
            marks_ask(marks, &marks->loops[i], plan);
        json_array_append_new(loops, loop_json(pipeline, &marks->loops[i]));
    }
    char *folder = realpath(".", NULL);
    json_t *root = json_pack("{s:s, s:o, s:o, s:o, s:o}", "schema", "orrery-loops/1", "file",
                             report_string(unit->files[unit->main_file].name), "folder",
                             report_string(folder), "files", files, "loops", loops);
    char *text = json_dumps(root, JSON_COMPACT);
    const char *copy = arena_strdup(pipeline->arena, text);
    json_decref(root);
    free(text);
    free(folder);
    return copy;
}
