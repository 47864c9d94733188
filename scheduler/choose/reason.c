/*
 * The verdict's code and words of a loop that stays serial: which dependence stands in the way, and
 * the edit that would help.
 */
#include "scheduler/plan/parts.h"

#include <string.h>

/* ---- one dependence -------------------------------------------------------------------------- */

static const struct access *unknown_of(const struct dependence *dep) {
    bool swap = dep->sink->id < dep->source->id;
    const struct access *ends[] = {swap ? dep->sink : dep->source, swap ? dep->source : dep->sink};
    for (int e = 0; e < 2; ++e)
        if (access_unknown(ends[e]))
            return ends[e];
    return NULL;
}

static bool variable_known(const struct analysis *analysis, const struct dependence *dep) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (analysis->dims[d].kind == DIM_VARIABLE && dep->vector[d].kind == ENTRY_NUMBER)
            return true;
    return false;
}

struct reason {
    const char *code, *message, *fix;
};

static const struct access *unknown_end(const struct dependence *dep) {
    return dep->sink->object->kind == OBJECT_UNKNOWN     ? dep->sink
           : dep->source->object->kind == OBJECT_UNKNOWN ? dep->source
                                                         : NULL;
}

/* What else of the loop unknown memory may be. */
static const char *meets_known(struct arena *arena, const struct dependence *dep,
                               const struct access *unknown) {
    const struct access *other = unknown == dep->sink ? dep->source : dep->sink;
    if (dep->object == dep->sink->object)
        return "";
    return arena_printf(arena, ": it may be part of %s, which the loop %s", other->object->name,
                        other->write ? "writes" : "reads");
}

/* What is left where every iteration needs the last one's values, as weights of a model. */
static const char *or_relax(const struct analysis *analysis, const struct object *object) {
    bool table = object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER;
    bool member = object->kind == OBJECT_SCALAR && object->base &&
                  object->base->kind == EXPR_MEMBER && object->element &&
                  object->element->kind == TYPE_FLOAT;
    return ((table && object_is_numbers(object) && object_may_have_copies(object)) || member) &&
                   loop_is_marked(analysis->loop)
               ? arena_printf(analysis->facts->unit->arena,
                              "; or, if iterations may see values of %s that are a little old, add "
                              "relax(%s)",
                              object->name, object->name)
               : "";
}

static struct reason reason_of_object(const struct analysis *analysis,
                                      const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    const char *name = dep->object->name, *other = dep->sink->object->name;
    const struct access *unknown = unknown_end(dep);
    if (unknown) {
        return (struct reason){
            ORR2108,
            arena_printf(arena, "nothing is known of the memory that %s reaches%s",
                         unknown->text ? unknown->text : unknown->object->name,
                         meets_known(arena, dep, unknown)),
            "reach it by a pointer that the loop does not change and a subscript; nodes that point "
            "to "
            "each other can be kept in an array, with subscripts in place of the pointers"};
    }
    if (dep->object != dep->sink->object) {
        return (struct reason){
            ORR2107,
            arena_printf(arena, "what is written through %s may be part of %s",
                         object_words(arena, dep->object), object_words(arena, dep->sink->object)),
            arena_printf(arena,
                         "reach %s and %s by one pointer and subscripts, so that they can be "
                         "compared, or write to an array of its own",
                         name, other)};
    }
    switch (dep->object->kind) {
    case OBJECT_HIDDEN:
        return (struct reason){
            ORR2219, arena_printf(arena, "every call changes the hidden state of %s", name),
            "use a function of the iteration instead, such as a counter-based random number"};
    case OBJECT_SCALAR:
        return (struct reason){
            ORR2201, arena_printf(arena, "%s carries a value from one iteration to the next", name),
            arena_printf(arena,
                         "use a variable of the body in place of %s if no value is meant to pass; "
                         "collect what the iterations add to it in a sum that they do not read, "
                         "and apply that after the loop, if they all train it%s",
                         name, or_relax(analysis, dep->object))};
    default:
        return (struct reason){NULL, NULL, NULL};
    }
}

static const char *fix_of_unknown(const struct analysis *analysis, const struct dependence *dep,
                                  const struct access *unknown) {
    const enum why_kind why = access_unknown(unknown)->why_kind;
    if (why == WHY_BIT_FIELD)
        return "give the field a char or an int of its own";
    if (why == WHY_LEAVES_ROW)
        return "keep every subscript inside of one row, and use one row length for the array";
    if (why == WHY_LEFT)
        return arena_printf(analysis->facts->unit->arena,
                            "let the loop inside make all its rounds, with `continue` in place of "
                            "`break`, or find how many there are in a loop of its own before%s",
                            or_relax(analysis, dep->object));
    if (why == WHY_MOVED && unknown->via)
        return arena_printf(analysis->facts->unit->arena,
                            "write the loop over the row in the body, in the place of the function "
                            "that it calls: how many entries its row has is then counted%s",
                            or_relax(analysis, dep->object));
    return arena_printf(analysis->facts->unit->arena,
                        "subscript it by the loop's variable or by data that the loop does not "
                        "write; what has to be computed first can be put in an array by a loop of "
                        "its own%s",
                        or_relax(analysis, dep->object));
}

/* A loop inside whose bounds come from data runs over rows. */
static bool is_ragged(const struct analysis *analysis, const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d) {
        for (int l = 0; a->subs[d].known && l < a->nloops; ++l) {
            const struct inner_loop *loop = &analysis->facts->inner[a->loops[l]];
            bool data = loop->has_upper && loop->upper.nterms > 0 &&
                        loop->upper.terms[0].symbol->kind == SYMBOL_KEY;
            for (int i = 0; data && i < a->subs[d].value.nterms; ++i)
                if (a->subs[d].value.terms[i].symbol == loop->symbol)
                    return true;
        }
    }
    return false;
}

/* `x += e` in a called function is all that touches it. */
static bool is_only_added(const struct analysis *analysis, const struct object *object) {
    const struct loop_facts *facts = analysis->facts;
    bool added = object->kind == OBJECT_ROWS;
    for (int i = 0; i < facts->naccesses && added; ++i) {
        const struct access *a = &facts->accesses[i];
        added = a->object != object || (a->via && a->folds);
    }
    return added;
}

/* No key, no distance: one cell for all, scratch space, or a row that every iteration changes. */
static struct reason reason_of_shared(const struct analysis *analysis,
                                      const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    const char *a = dep->source->text, *b = dep->sink->text, *name = dep->object->name;
    bool same = a && b && strcmp(a, b) == 0;
    bool one = same && access_is_fixed(dep->source) && access_is_fixed(dep->sink);
    const char *does = dep->kind == DEP_OUTPUT ? "writes" : "reads and writes";
    struct reason reason = {ORR2112, NULL, NULL};
    reason.message =
        one    ? arena_printf(arena, "every iteration %s the same %s", does, a)
        : same ? arena_printf(arena, "many iterations touch the same elements of %s", name)
               : arena_printf(arena, "%s of one iteration may be %s of another", a ? a : name,
                              b ? b : name);
    reason.fix =
        same && is_ragged(analysis, dep->source)
            ? "if every iteration has a row of its own, go from ptr[i] to before ptr[i + 1], or "
              "over "
              "len[i] elements from start[i]: that rows do not overlap is then checked by the run"
        : dep->kind == DEP_OUTPUT
            ? "if it is scratch space of an iteration, declare it inside of the loop"
        : is_only_added(analysis, dep->object)
            ? arena_printf(arena,
                           "let the loop's own body add to %s, by that name, in the place of the "
                           "function that it calls: then it is a sum of all iterations",
                           name)
            : arena_printf(arena,
                           "read a copy of %s made before the loop, and write to another array or "
                           "only add to %s%s",
                           name, name, or_relax(analysis, dep->object));
    return reason;
}

/* How many keys lead to the object's elements. */
static int keys_to(const struct loop_facts *facts, const struct object *object) {
    const struct symbol *seen[PLAN_KEYS];
    int n = 0;
    for (int i = 0; i < facts->naccesses && n < PLAN_KEYS; ++i) {
        const struct symbol *key =
            facts->accesses[i].object == object ? plan_key_of(&facts->accesses[i]) : NULL;
        bool known = key == NULL;
        for (int k = 0; k < n; ++k)
            known = known || seen[k] == key;
        if (!known)
            seen[n++] = key;
    }
    return n;
}

/* Why there is no tournament: *legal when there would be one if the order did not matter. */
static const char *tournament_problem(const struct analysis *analysis, bool *legal) {
    struct analysis any = *analysis;
    struct plan plan = {.analysis = &any, .strategy = STRATEGY_TOURNAMENT};
    any.unordered = true;
    bool proposed = plan_pair(&plan);
    const char *problem = proposed ? plan_check(&plan) : NULL;
    *legal = proposed && !problem;
    return problem;
}

static struct reason reason_of_pair(const struct analysis *analysis, const struct object *object,
                                    const struct symbol *a, const struct symbol *b) {
    struct arena *arena = analysis->facts->unit->arena;
    bool legal;
    const char *problem = tournament_problem(analysis, &legal), *name = object->name;
    const char *apart = arena_printf(arena,
                                     "if the two ends never name the same element, give each its "
                                     "own table in place of %s",
                                     name);
    if (legal) {
        apart = "add `unordered` to the pragma if any order of the iterations will do";
    } else if (keys_to(analysis->facts, object) > 2) {
        return (struct reason){
            ORR2120,
            arena_printf(arena, "%s is reached through more than two keys, %s, %s and others", name,
                         a->name, b->name),
            arena_printf(arena,
                         "let an iteration change the rows of two of the keys and make one "
                         "iteration of each pair, or give the others a table in place of %s",
                         name)};
    } else if (problem) {
        return (struct reason){
            ORR2121,
            arena_printf(arena,
                         "%s is reached through two keys, %s and %s, that do not name its rows "
                         "alike: %s",
                         name, a->name, b->name, problem),
            arena_printf(arena,
                         "subscript %s by both keys in one way: keep the numbers of the rows, "
                         "offsets included, in arrays, and use one row length",
                         name)};
    }
    return (struct reason){
        ORR2103,
        arena_printf(arena, "%s is reached through two keys, %s and %s", name, a->name, b->name),
        apart};
}

/* What iterations meet in is read by the earlier one and written by the later one, always. */
static bool is_overwritten_only(const struct analysis *analysis, const struct object *object) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        bool stands = dep_status_holds(dep->status);
        if (stands && dep->object == object && dep->kind != DEP_ANTI)
            return false;
    }
    return true;
}

/* Each element is made of one before it, or is overwritten while one before it is made. */
static struct reason reason_of_recurrence(const struct analysis *analysis,
                                          const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    bool writes = dep->source->write;
    int op = dep->source->write == dep->sink->write
                 ? -1
                 : facts_scan(analysis->facts, writes ? dep->source : dep->sink,
                              writes ? dep->sink : dep->source);
    const char *name = dep->object->name;
    if (is_overwritten_only(analysis, dep->object)) {
        return (struct reason){
            ORR2115,
            arena_printf(arena, "an iteration reads elements of %s that a later one overwrites",
                         name),
            arena_printf(arena,
                         "read a copy of %s made before the loop, or write to another array and "
                         "swap the two after the loop",
                         name)};
    }
    if (op >= 0) {
        return (struct reason){
            ORR2275,
            arena_printf(arena,
                         "this is a prefix scan, which stays serial: each element of %s is the %s "
                         "of one before it and the iteration's own",
                         name, reduction_operator(op)->title),
            arena_printf(arena,
                         "leave this loop serial and let it do nothing else: what uses %s can be a "
                         "parallel loop after it",
                         name)};
    }
    return (struct reason){
        ORR2104, arena_printf(arena, "an iteration needs what an earlier one wrote to %s", name),
        "if the values from before the loop will do, write to another array and swap the two "
        "after the loop; a recurrence stays serial"};
}

/* Many rows per iteration: late values, the loop's own order, or rows that are apart. */
static const char *fix_of_many(const struct analysis *analysis, const struct object *object,
                               const struct expr *index) {
    struct arena *arena = analysis->facts->unit->arena;
    const bool numbers = object_is_numbers(object), copies = object_may_have_copies(object);
    const char *fix =
        numbers && copies ? arena_printf(arena,
                                         "if iterations may see values of %s that are a little "
                                         "old, add relax(%s)",
                                         object->name, object->name)
        : numbers         ? arena_printf(arena,
                                         "if iterations may see values of %s that are a little "
                                                 "old, hand it to the called functions as an argument, and "
                                                 "add relax(%s)",
                                         object->name, object->name)
                          : arena_printf(arena,
                                         "read a copy of %s made before the loop and only add to "
                                                 "it, which is a reduction",
                                         object->name);
    if (analysis->unordered)
        fix = arena_printf(arena, "%s; to keep the serial result, leave out `unordered`", fix);
    if (index)
        fix = arena_printf(arena,
                           "%s; if no value stands in the index array twice, add "
                           "assume(injective(%s))",
                           fix, expr_print(arena, index));
    return fix;
}

static struct reason reason_of_subscript(const struct analysis *analysis,
                                         const struct dependence *dep) {
    struct arena *arena = analysis->facts->unit->arena;
    const char *name = dep->object->name;
    const struct access *unknown = unknown_of(dep);
    if (unknown) {
        const char *why = access_unknown(unknown)->why_not;
        return (struct reason){
            ORR2105,
            arena_printf(arena, "which elements of %s the iterations touch is not known%s%s", name,
                         why ? ": " : "", why ? why : ""),
            fix_of_unknown(analysis, dep, unknown)};
    }
    bool swap = dep->sink->id < dep->source->id;
    const struct access *first = swap ? dep->sink : dep->source;
    const struct access *second = swap ? dep->source : dep->sink;
    const struct symbol *a = access_key(first, true), *b = access_key(second, true);
    if (a || b) {
        const struct expr *key = (a ? a : b)->expr;
        bool index = key->kind == EXPR_SUBSCRIPT && a == b;
        return (struct reason){
            ORR2111,
            arena_printf(arena, "every iteration touches many elements of %s, chosen by %s", name,
                         (a ? a : b)->name),
            fix_of_many(analysis, dep->object, index ? key->args[0] : NULL)};
    }
    a = access_key(first, false), b = access_key(second, false);
    if (a && b && a != b)
        return reason_of_pair(analysis, dep->object, a, b);
    if (a && a == b) {
        return (struct reason){
            ORR2110,
            arena_printf(arena, "iterations with different %s touch the same elements of %s",
                         a->name, name),
            arena_printf(arena,
                         "let an iteration touch the rows that %s itself names only, or read the "
                         "others from a copy made before the loop",
                         a->name)};
    }
    if (variable_known(analysis, dep))
        return reason_of_recurrence(analysis, dep);
    return reason_of_shared(analysis, dep);
}

static struct reason reason_of(const struct analysis *analysis, const struct dependence *dep) {
    if (dep->status == DEP_LIMIT) {
        return (struct reason){ORR2190,
                               arena_printf(analysis->facts->unit->arena,
                                            "the subscripts of %s are too much work to compare",
                                            dep->object->name),
                               "split the loop or write its subscripts more simply"};
    }
    struct reason reason = reason_of_object(analysis, dep);
    if (!reason.code)
        reason = reason_of_subscript(analysis, dep);
    return reason;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int zero_key(const struct analysis *analysis, const struct dependence *dep, int not_this) {
    for (int d = 0; d < analysis->ndims; ++d)
        if (d != not_this && analysis->dims[d].kind == DIM_KEY &&
            dep->vector[d].kind == ENTRY_NUMBER && dep->vector[d].number == 0)
            return d;
    return -1;
}

/* The first kept dependence that no key covers, or NULL. */
static const struct dependence *uncovered(const struct analysis *analysis) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        const struct dependence *dep = &analysis->deps[i];
        if (dep_holds(dep) && zero_key(analysis, dep, -1) < 0)
            return dep;
    }
    return NULL;
}

static const struct dependence *first_kept(const struct analysis *analysis) {
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_holds(&analysis->deps[i]))
            return &analysis->deps[i];
    return NULL;
}

/* Where to point: at the subscript that is not known, or else at the access of the pair that an
 * iteration comes to first. */
static struct range place_of(const struct dependence *dep, struct range otherwise) {
    const struct access *first = dep->source->id < dep->sink->id ? dep->source : dep->sink;
    const struct access *unknown = dep->object == dep->sink->object ? unknown_of(dep) : NULL;
    first = unknown ? unknown : first;
    return first->range.begin.line > 0 ? first->range : otherwise;
}

static void explain_order(struct plan *plan, int ndims, const int *dims) {
    const struct analysis *analysis = plan->analysis;
    plan->culprit = first_kept(analysis);
    plan_make_serial(
        plan, ORR2102, place_of(plan->culprit, plan->where),
        arena_printf(
            plan_arena(plan),
            "iterations with the same %s conflict, and the loop's own order has to be kept",
            plan_dim_names(plan_arena(plan), analysis, ndims, dims, " or the same ")),
        "add `unordered` to the pragma if any order of the iterations will do");
}

static bool is_chosen(const struct loop_facts *facts, const char *name) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].argmin && facts->reductions[i].object->name == name)
            return true;
    return false;
}

static bool is_tied(const struct loop_facts *facts, const char *name) {
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].ties && facts->reductions[i].object->name == name)
            return true;
    return false;
}

static void explain_last_value(struct plan *plan, const char *name) {
    const struct loop_facts *facts = plan->analysis->facts;
    const char *words =
        is_chosen(facts, name) ? "%s is set by some of the iterations, and which of them counts is "
                                 "decided by the loop's own order"
        : is_tied(facts, name) ? "which of equal numbers %s keeps, -0.0 and 0.0, is decided by the "
                                 "loop's own order"
                               : "%s is used after the loop, and its value is that of the last "
                                 "iteration in the loop's own order";
    plan_make_serial(plan, ORR2113, plan->where, arena_printf(plan_arena(plan), words, name),
                     "declare it inside the loop, or add `unordered` to the pragma");
}

static void explain_many_keys(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    const char *names = NULL;
    bool named[analysis->ndims + 1];
    memset(named, 0, sizeof named);
    for (int i = 0; i < analysis->ndeps; ++i) {
        int d = dep_holds(&analysis->deps[i]) ? zero_key(analysis, &analysis->deps[i], -1) : -1;
        if (d < 0 || named[d])
            continue;
        const char *name = analysis->dims[d].name;
        names = names ? arena_printf(plan_arena(plan), "%s, %s", names, name) : name;
        named[d] = true;
    }
    plan->culprit = first_kept(analysis);
    plan_make_serial(plan, ORR2109, place_of(plan->culprit, plan->where),
                     arena_printf(plan_arena(plan),
                                  "conflicts are through more than four keys (%s): no four of them "
                                  "cover all",
                                  names ? names : "none"),
                     "split the loop so that each part changes tables of at most four of the keys");
}

/* Scratch space that almost is an iteration's own:
 * what is wrong with it says more than the pair of accesses. */
static const struct scratch_miss *miss_of(const struct analysis *analysis,
                                          const struct dependence *dep) {
    static const char *const vague[] = {ORR2201, ORR2107, ORR2111, ORR2112};
    bool general = message_is_one_of(reason_of(analysis, dep).code,
                                     (int)(sizeof vague / sizeof *vague), vague);
    const bool unknown = reason_of(analysis, dep).code == ORR2105;
    for (int i = 0; (general || unknown) && i < analysis->facts->nmisses; ++i) {
        const struct scratch_miss *miss = &analysis->facts->misses[i];
        if (miss->object == dep->object && (general || miss->code != ORR2231))
            return miss;
    }
    return NULL;
}

void plan_explain_serial(struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    const char *last = plan_ordered_last_value(analysis, false);
    int dims[PLAN_DIMS], ndims;
    plan->culprit = uncovered(analysis);
    const struct scratch_miss *miss = plan->culprit ? miss_of(analysis, plan->culprit) : NULL;
    if (miss) {
        plan_make_serial(plan, miss->code, miss->range, miss->message, miss->fix);
        return;
    }
    if (plan->culprit) {
        struct reason reason = reason_of(analysis, plan->culprit);
        plan_make_serial(plan, reason.code, place_of(plan->culprit, plan->where), reason.message,
                         reason.fix);
        return;
    }
    for (int d = 0; last && d < analysis->ndims; ++d) {
        if (plan_legal_1d(analysis, d)) {
            plan->culprit = first_kept(analysis);
            explain_last_value(plan, last);
            return;
        }
    }
    ndims = analysis->unordered ? 0 : plan_cover(analysis, PLAN_DIMS, dims);
    if (ndims > 0 && last && analysis->loop->pragma) {
        plan->culprit = first_kept(analysis);
        explain_last_value(plan, last);
        return;
    }
    if (ndims > 0) {
        explain_order(plan, ndims, dims);
        return;
    }
    explain_many_keys(plan);
}
