/*
 * Is a plan legal? Proved from the accesses, without the vectors that it was chosen by.
 *
 * Every iteration stands in a block (a, b) of a grid of any size: abstract numbers of which one
 * thing is known, that a value of a dim has one block. Blocks may run together
 *   independent, reduction, partition-1d:  when a != a'
 *   rotation-2d:  when a != a' and b != b' (a worker owns its rows; a column's baton is with one
 *                 worker at a time, whatever S and T are)
 *   rotation-nd:  when they differ in every dim, for the same reason
 *   tournament:   a block joins two parts {a, b} of one dim, and a part is in one block at a time:
 *                 when all of a, b differ from all of a', b'; and in every further dim
 *   ordered-rotation:  as rotation-2d. The run looks whether blocks that share a row or a column
 *                 come in the loop's order, and takes levels when they do not: both are proved
 *   levels:       whatever the two are, unless they touch one listed element; so for accesses to
 *                 an object that is listed by one of its subscripts, when those are different
 * The plan is safe iff for every pair of accesses, one a write, the set
 *   { conflict, two iterations, the blocks may run together, "equal values have equal blocks" }
 * is empty.
 *
 * There are blocks with a != a' exactly for values k != k', so the block numbers need not reach
 * isl: what does is one system per choice of < or > in every k != k' (and in i != i'). Mostly one
 * k != k' alone contradicts the conflict; all of them together are asked when none does.
 *
 * Wavefronts are proved in check_wave.c, pipelines in check_pipe.c.
 */
#include "analyzer/analyzer.h"
#include "scheduler/plan/check_keys.h"
#include "scheduler/strategy/strategy.h"

#include <string.h>

/* To look whether a pair of accesses was proved apart before. */
enum { STEPS_PER_PAIR = 6 };

/* ---- words ----------------------------------------------------------------------------------- */

static const char *vector_words(struct check *check, const struct access *a,
                                const struct access *b) {
    const struct analysis *analysis = check->plan->analysis;
    struct entry *entries = arena_alloc(check->arena, (analysis->ndims + 1) * sizeof *entries);
    const char *vector = "", *names = "";
    conflict_vector(analysis, a, b, entries);
    for (int d = 0; d < analysis->ndims; ++d) {
        const char *comma = d ? ", " : "";
        vector = arena_printf(check->arena, "%s%s%s", vector, comma,
                              entry_text(check->arena, entries[d]));
        names = arena_printf(check->arena, "%s%s%s", names, comma, analysis->dims[d].name);
    }
    return arena_printf(check->arena, "(%s) over (%s)", vector, names);
}

static const char *together_words(const struct check *check) {
    const struct plan *plan = check->plan;
    const struct dim *dims = plan->analysis->dims;
    const char *words = NULL;
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    bool pairs = strategy_form(plan->strategy)->pairs;
    if (pairs) {
        words = arena_printf(check->arena, "that name other elements by %s and %s",
                             dims[keys[0]].name, dims[keys[1]].name);
    }
    for (int i = pairs ? 2 : 0; i < nkeys; ++i) {
        words = words ? arena_printf(check->arena, "%s and%s in %s", words, pairs ? " differ" : "",
                                     dims[keys[i]].name)
                      : arena_printf(check->arena, "that differ in %s", dims[keys[i]].name);
    }
    if (!words)
        return strategy_of(plan)->together;
    return arena_printf(check->arena, "iterations %s run together", words);
}

static const char *violation(struct check *check, const struct access *a, const struct access *b,
                             enum linear_answer answer) {
    const struct access *source = a->write ? a : b, *sink = a->write ? b : a;
    const char *kind = !sink->write ? "flow" : "output";
    check->found->source = source;
    check->found->sink = sink;
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

/* ---- the proof ------------------------------------------------------------------------------- */

/* What the proof needs to know of an object: whether pairs of it count, and is any a write. */
struct standing {
    bool exempt, written, used;
};

static struct standing *standings(const struct check *check) {
    struct loop_facts *facts = check->facts;
    const struct strategy_ops *ops = strategy_of(check->plan);
    struct standing *all = arena_alloc(check->arena, (facts->nobjects + 1) * sizeof *all);
    for (int i = 0; i < facts->nobjects; ++i) {
        all[i].exempt = depend_is_private(facts, facts->objects[i]) ||
                        (ops->exempt && ops->exempt(check->plan, facts->objects[i]));
    }
    for (int i = 0; i < facts->naccesses; ++i) {
        struct standing *s = &all[facts->accesses[i].object->id];
        s->used = true;
        s->written = s->written || facts->accesses[i].write;
    }
    return all;
}

static const char *check_pair(struct check *check, const struct access *a, const struct access *b) {
    if (a->object != b->object || (!a->write && !b->write) || !access_bytes_meet(a, b))
        return NULL;
    budget_spend(STEPS_PER_PAIR);
    enum linear_answer answer = strategy_of(check->plan)->prove(check, a, b);
    return answer == LINEAR_EMPTY ? NULL : violation(check, a, b, answer);
}

/* The run checks, or the user asserts, that no two iterations share an element. */
static bool is_apart(const struct loop_facts *facts, const struct object *object) {
    bool stands = object->intervals && object->intervals->proved;
    for (int i = 0; i < facts->nguards && !stands; ++i) {
        stands = facts->guards[i].kind == GUARD_APART && facts->guards[i].a == object &&
                 facts->guards[i].intervals == object->intervals;
    }
    return object->apart && stands;
}

static const char *check_pairs(struct check *check, const struct standing *standing) {
    const struct access *all = check->facts->accesses;
    bool whole = !strategy_of(check->plan)->cuts_iterations;
    for (int i = 0; i < check->facts->naccesses; ++i) {
        const struct object *object = all[i].object;
        bool skip = standing[object->id].exempt || depend_is_reduction(check->facts, object) ||
                    (whole && is_apart(check->facts, object));
        for (int j = i; !skip && j < check->facts->naccesses; ++j) {
            const char *reason = check_pair(check, &all[i], &all[j]);
            if (reason)
                return reason;
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
            if (reason)
                return reason;
        }
    }
    return NULL;
}

static const char *prove(const struct plan *plan, struct plan_violation *found) {
    struct loop_facts *facts = plan->analysis->facts;
    struct check check = {
        .plan = plan, .arena = facts->unit->arena, .facts = facts, .found = found};
    check.shapes = access_shapes(facts);
    check.solver = linear_solver_new(DEPEND_OPERATIONS, 4 * DEPEND_QUESTIONS);
    budget_remember(check_forget, &check);
    const struct standing *standing = standings(&check);
    const char *reason = check_pairs(&check, standing);
    reason = reason ? reason : check_objects(&check, standing);
    linear_solver_free(check.solver);
    budget_forget(&check);
    check_forget(&check);
    return reason;
}

/* ---- form ------------------------------------------------------------------------------------ */

static bool is_dim(const struct plan *plan, int dim, enum dim_kind kind) {
    return dim >= 0 && dim < plan->analysis->ndims && plan->analysis->dims[dim].kind == kind;
}

static const char *check_keys(const struct plan *plan) {
    int keys[PLAN_KEYS], nkeys = plan_keys(plan, keys);
    for (int i = 0; i < nkeys; ++i) {
        bool good = is_dim(plan, keys[i], DIM_KEY);
        for (int j = 0; j < i; ++j)
            good = good && keys[i] != keys[j];
        if (!good) {
            return keys[i] == plan->space     ? "its space dim is not a key of the loop"
                   : keys[i] == plan->partner ? "its partner is not another key of the loop"
                                              : "its time dim is not another key of the loop";
        }
    }
    return NULL;
}

static const char *check_form(const struct plan *plan, struct plan_violation *found) {
    const struct strategy_ops *ops = strategy_of(plan);
    if (plan->analysis->facts->nrefusals > 0)
        return plan->analysis->facts->refusals[0].message;
    if (plan->by_key != ops->by_key)
        return "records are gathered for plans by key, and only there";
    if (ops->merges && !plan_merges(plan->analysis))
        return "nothing is relaxed: the pragma has neither relax() nor buffer()";
    if (ops->space == SPACE_KEY && plan->space < 0)
        return "its space dim is not a key of the loop";
    const char *reason = check_keys(plan);
    if (reason)
        return reason;
    if (plan->ntimes < ops->least_times || plan->ntimes > ops->most_times) {
        return plan->ntimes < ops->least_times ? "it needs another time dim"
                                               : "it has a time dim too many";
    }
    if (ops->reorders && !plan->analysis->unordered) {
        *found = plan_order_violation(plan, "a rotation changes the order of the iterations, and "
                                            "the pragma does not say `unordered`");
        return found->words;
    }
    if (ops->form && (reason = ops->form(plan)))
        return reason;
    if (plan->by_key && plan_ordered_last_value(plan->analysis, ops->keeps_argmin))
        return "a value used after the loop is that of the last iteration in the loop's own order";
    return NULL;
}

/* What the arrays and the emitter go by, once the blocks are known to be safe. */
static const char *check_rest(const struct plan *plan) {
    enum strategy_space space = strategy_of(plan)->space;
    if (space == SPACE_NONE)
        return plan->space < 0 ? NULL : "it has no space dim";
    return space == SPACE_KEY || is_dim(plan, plan->space, DIM_VARIABLE)
               ? NULL
               : "its space dim is not the loop's variable";
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

struct plan_violation plan_violation(const struct plan *plan) {
    struct plan_violation found = {NULL, NULL, NULL};
    if (plan->strategy == STRATEGY_SERIAL)
        return found;
    const char *reason = check_form(plan, &found);
    reason = reason ? reason : prove(plan, &found);
    if (!reason && strategy_of(plan)->instead != STRATEGY_SERIAL) {
        struct plan instead = *plan;
        instead.strategy = strategy_of(plan)->instead;
        instead.space = -1;
        instead.ntimes = 0;
        reason = prove(&instead, &found);
    }
    reason = reason ? reason : check_rest(plan);
    found.words = reason ? reason : check_arrays(plan);
    return found;
}

const char *plan_check(const struct plan *plan) {
    return plan_violation(plan).words;
}
