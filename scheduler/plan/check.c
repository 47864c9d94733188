/*
 * Is a plan legal? Proved from the accesses, without the vectors that it was chosen by.
 *
 * Every iteration stands in a block (a, b) of a grid of any size: abstract numbers of which one
 * thing is known, that a value of a dim has one block. Blocks may run together
 *   independent, reduction, partition-1d:  when a != a'
 *   rotation-2d:  when a != a' and b != b' (a worker owns its rows; a column's baton is with one
 *                 worker at a time, whatever S and T are)
 *   levels:       whatever the two are, unless they touch one listed element; so for accesses to
 *                 an object that is listed by one of its subscripts, when those are different
 * and the plan is safe iff for every pair of accesses, one a write,
 *   { conflict, two iterations, the blocks may run together, "equal values have equal blocks" }
 * is empty. There are blocks with a != a' exactly for values k != k', so the block numbers need not
 * reach isl: what does is one system per choice of < or > in every k != k' (and in i != i').
 */
#include "analyzer/depend/solve.h"
#include "scheduler/plan/parts.h"

#include <string.h>
#include <uthash.h>

struct proved {
    const char *problem;
    UT_hash_handle hh;
};

struct check {
    const struct plan *plan;
    struct arena *arena;
    struct loop_facts *facts;
    struct linear_solver *solver;
    struct proved *proved;
    const char **shapes;
};

/* Adds key' >= key + 1, or key >= key' + 1. */
static void add_differ(struct conflict *c, const struct dim *dim, bool up) {
    struct linear_form form = {.constant = -1};
    linear_form_add(c->arena, &form, conflict_var(c, up ? 1 : 0, dim->symbol), 1);
    linear_form_add(c->arena, &form, conflict_var(c, up ? 0 : 1, dim->symbol), -1);
    linear_system_add(c->arena, &c->system, false, form);
}

/* How many keys two iterations that run together have to differ in; blocks of plans that are not by
 * key are ranges of iterations, so that any two may run together. */
static int ndiffering(const struct plan *plan) {
    return plan->strategy == STRATEGY_ROTATION_2D ? 2 : plan->strategy == STRATEGY_PARTITION_1D;
}

/* Adds a's subscript >= b's + 1, or the other way round; nothing when one of them is not known. */
static void add_apart(struct conflict *c, const struct access *a, const struct access *b, int sub,
                      bool up) {
    struct linear_form form = {.constant = -1};
    if (sub < a->nsubs && sub < b->nsubs && a->subs[sub].known && b->subs[sub].known &&
        conflict_affine_add(c, &form, 0, &a->subs[sub].value, up ? 1 : -1) &&
        conflict_affine_add(c, &form, 1, &b->subs[sub].value, up ? -1 : 1)) {
        linear_system_add(c->arena, &c->system, false, form);
    }
}

static const struct plan_touch *listed(const struct check *check, const struct access *a) {
    bool levels = check->plan->strategy == STRATEGY_LEVELS;
    return levels ? plan_touch_of(check->plan, a->object) : NULL;
}

/* Choices of < or > per pair, each a system of its own. */
static int nchoices(const struct check *check, const struct access *a) {
    return listed(check, a) ? 1 : ndiffering(check->plan);
}

/* `ways`: one bit for the order of the two iterations, one per key of the grid, < or >. */
static enum linear_answer ask(struct check *check, const struct access *a, const struct access *b,
                              unsigned ways) {
    const struct plan *plan = check->plan;
    const struct dim *dims = plan->analysis->dims;
    struct conflict c;
    conflict_build(check->arena, check->facts, a, b, &c);
    conflict_order(&c, ways & 1);
    if (listed(check, a)) {
        add_apart(&c, a, b, listed(check, a)->sub, ways & 2);
    }
    if (ndiffering(plan) > 0) {
        add_differ(&c, &dims[plan->space], ways & 2);
    }
    if (ndiffering(plan) > 1) {
        add_differ(&c, &dims[plan->time], ways & 4);
    }
    return linear_solve(check->solver, &c.system, 0, NULL, NULL);
}

static enum linear_answer pair_meets(struct check *check, const struct access *a,
                                     const struct access *b) {
    char buffer[PAIR_PROBLEM_SIZE];
    const char *problem = pair_problem(buffer, a, check->shapes[a - check->facts->accesses], b,
                                       check->shapes[b - check->facts->accesses]);
    struct proved *known = NULL;
    problem = listed(check, a) ? NULL : problem;
    if (problem) {
        HASH_FIND_STR(check->proved, problem, known);
    }
    for (unsigned ways = 0; !known && ways < 2u << nchoices(check, a); ++ways) {
        enum linear_answer answer = ask(check, a, b, ways);
        if (answer != LINEAR_EMPTY) {
            return answer;
        }
    }
    if (problem && !known) {
        known = arena_alloc(check->arena, sizeof *known);
        known->problem = arena_strdup(check->arena, problem);
        HASH_ADD_KEYPTR(hh, check->proved, known->problem, strlen(problem), known);
    }
    return LINEAR_EMPTY;
}

/* ---- words --------------------------------------------------------------------------------------
 */

static const char *vector_words(struct check *check, const struct access *a,
                                const struct access *b) {
    const struct analysis *analysis = check->plan->analysis;
    struct depend_solver *solver = depend_solver_new(check->facts, analysis->unordered);
    const struct pair_answer *answer = depend_solve(solver, a, "", b, "");
    const char *vector = "", *names = "";
    for (int d = 0; d < analysis->ndims; ++d) {
        const struct dim *dim = &analysis->dims[d];
        struct entry e =
            dim->kind == DIM_VARIABLE ? answer->distance : answer->deltas[dim->symbol->id];
        const char *comma = d ? ", " : "";
        vector = arena_printf(check->arena, "%s%s%s", vector, comma, entry_text(check->arena, e));
        names = arena_printf(check->arena, "%s%s%s", names, comma, dim->name);
    }
    depend_solver_free(solver);
    return arena_printf(check->arena, "(%s) over (%s)", vector, names);
}

static const char *together_words(const struct check *check) {
    const struct plan *plan = check->plan;
    const struct dim *dims = plan->analysis->dims;
    switch (ndiffering(plan)) {
    case 2:
        return arena_printf(check->arena, "iterations that differ in %s and in %s run together",
                            dims[plan->space].name, dims[plan->time].name);
    case 1:
        return arena_printf(check->arena, "iterations that differ in %s run together",
                            dims[plan->space].name);
    default:
        return plan->strategy == STRATEGY_LEVELS
                   ? "iterations that touch no common element as listed run together"
                   : "any two iterations may run together";
    }
}

static const char *violation(struct check *check, const struct access *a, const struct access *b,
                             enum linear_answer answer) {
    const struct access *source = a->write ? a : b, *sink = a->write ? b : a;
    const char *kind = !sink->write ? "flow" : "output";
    if (answer == LINEAR_LIMIT) {
        return arena_printf(check->arena,
                            "%s; that they do not conflict through %s is too much work "
                            "to prove",
                            together_words(check), a->object->name);
    }
    return arena_printf(check->arena,
                        "%s, but conflict through %s: the vector %s of its %s dependence "
                        "(line %d to line %d) is violated",
                        together_words(check), a->object->name, vector_words(check, source, sink),
                        kind, source->range.begin.line, sink->range.begin.line);
}

/* ---- the proof ----------------------------------------------------------------------------------
 */

/* What the proof needs to know of an object: whether pairs of it count, and is any a write. */
struct standing {
    bool exempt, written, used;
};

static struct standing *standings(const struct check *check) {
    struct loop_facts *facts = check->facts;
    struct standing *all = arena_alloc(check->arena, (facts->nobjects + 1) * sizeof *all);
    for (int i = 0; i < facts->nobjects; ++i) {
        all[i].exempt = depend_is_private(facts, facts->objects[i]);
    }
    for (int i = 0; i < facts->naccesses; ++i) {
        struct standing *s = &all[facts->accesses[i].object->id];
        s->used = true;
        s->written = s->written || facts->accesses[i].write;
    }
    return all;
}

static const char *check_pair(struct check *check, const struct access *a, const struct access *b) {
    if (a->object != b->object || (!a->write && !b->write) || !access_bytes_meet(a, b)) {
        return NULL;
    }
    enum linear_answer answer = pair_meets(check, a, b);
    return answer == LINEAR_EMPTY ? NULL : violation(check, a, b, answer);
}

/* The run checks, or the user asserts, that no two iterations share an element. */
static bool is_apart(const struct loop_facts *facts, const struct object *object) {
    bool stands = object->claims && object->claims->proved;
    for (int i = 0; i < facts->nguards && !stands; ++i) {
        stands = facts->guards[i].kind == GUARD_APART && facts->guards[i].a == object &&
                 facts->guards[i].claims == object->claims;
    }
    return object->apart && stands;
}

static const char *check_pairs(struct check *check, const struct standing *standing) {
    const struct access *all = check->facts->accesses;
    for (int i = 0; i < check->facts->naccesses; ++i) {
        const struct object *object = all[i].object;
        bool skip = standing[object->id].exempt || depend_is_reduction(check->facts, object) ||
                    is_apart(check->facts, object);
        for (int j = i; !skip && j < check->facts->naccesses; ++j) {
            const char *reason = check_pair(check, &all[i], &all[j]);
            if (reason) {
                return reason;
            }
        }
    }
    return NULL;
}

static const char *check_apart(struct check *check, const struct object *a,
                               const struct object *b) {
    int guard = -1;
    return facts_alias(check->facts, b, a, &guard) != ALIAS_MAY
               ? NULL
               : arena_printf(check->arena, "%s and %s may overlap", a->name, b->name);
}

static bool may_meet(const struct standing *standing, const struct object *object) {
    return standing[object->id].used && !standing[object->id].exempt &&
           object->kind != OBJECT_HIDDEN;
}

static const char *check_objects(struct check *check, const struct standing *standing) {
    struct object **objects = check->facts->objects;
    for (int i = 0; i < check->facts->nobjects; ++i) {
        for (int j = i + 1; may_meet(standing, objects[i]) && j < check->facts->nobjects; ++j) {
            bool counts =
                may_meet(standing, objects[j]) && (standing[i].written || standing[j].written);
            const char *reason = counts ? check_apart(check, objects[i], objects[j]) : NULL;
            if (reason) {
                return reason;
            }
        }
    }
    return NULL;
}

static const char *prove(const struct plan *plan) {
    struct loop_facts *facts = plan->analysis->facts;
    struct check check = {.plan = plan, .arena = facts->unit->arena, .facts = facts};
    check.shapes = arena_alloc(check.arena, (facts->naccesses + 1) * sizeof *check.shapes);
    for (int i = 0; i < facts->naccesses; ++i) {
        check.shapes[i] = access_shape(check.arena, &facts->accesses[i]);
    }
    check.solver = linear_solver_new(DEPEND_OPERATIONS, 4 * DEPEND_QUESTIONS);
    const struct standing *standing = standings(&check);
    const char *reason = check_pairs(&check, standing);
    reason = reason ? reason : check_objects(&check, standing);
    linear_solver_free(check.solver);
    HASH_CLEAR(hh, check.proved);
    return reason;
}

/* ---- form ---------------------------------------------------------------------------------------
 */

static bool is_dim(const struct plan *plan, int dim, enum dim_kind kind) {
    return dim >= 0 && dim < plan->analysis->ndims && plan->analysis->dims[dim].kind == kind;
}

static const char *check_form(const struct plan *plan) {
    bool rotates = plan->strategy == STRATEGY_ROTATION_2D, by_key = ndiffering(plan) > 0;
    if (plan->analysis->facts->nrefusals > 0) {
        return plan->analysis->facts->refusals[0].message;
    }
    if (by_key && !is_dim(plan, plan->space, DIM_KEY)) {
        return "its space dim is not a key of the loop";
    }
    if (rotates && (!is_dim(plan, plan->time, DIM_KEY) || plan->time == plan->space)) {
        return "its time dim is not another key of the loop";
    }
    if (rotates && !plan->analysis->unordered) {
        return "a rotation changes the order of the iterations, and the pragma does not say "
               "`unordered`";
    }
    if ((by_key || plan->strategy == STRATEGY_LEVELS) && plan_ordered_last_value(plan->analysis)) {
        return "a value used after the loop is that of the last iteration in the loop's own order";
    }
    return NULL;
}

/* What the arrays and the emitter go by, once the blocks are known to be safe. */
static const char *check_rest(const struct plan *plan) {
    bool levels = plan->strategy == STRATEGY_LEVELS, by_key = levels || ndiffering(plan) > 0;
    if (levels && plan->space >= 0) {
        return "it has no space dim";
    }
    if (!by_key && !is_dim(plan, plan->space, DIM_VARIABLE)) {
        return "its space dim is not the loop's variable";
    }
    if (plan->strategy != STRATEGY_ROTATION_2D && plan->time >= 0) {
        return "it has no time dim";
    }
    return plan->by_key == by_key ? NULL : "records are gathered for plans by key, and only there";
}

static const char *check_arrays(const struct plan *plan) {
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        const char *why = plan_place_check(plan, array);
        if (why) {
            return arena_printf(plan->analysis->facts->unit->arena, "%s cannot be %s: %s",
                                array->object->name, placement_name(array->placement), why);
        }
    }
    return NULL;
}

const char *plan_check(const struct plan *plan) {
    if (plan->strategy == STRATEGY_SERIAL) {
        return NULL;
    }
    const char *reason = check_form(plan);
    reason = reason ? reason : prove(plan);
    reason = reason ? reason : check_rest(plan);
    return reason ? reason : check_arrays(plan);
}
