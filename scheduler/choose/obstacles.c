/* All reasons of a loop that stays serial: each is lifted in thought, and the plan asked again. */
#include "scheduler/choose/obstacles.h"

#include "scheduler/strategy/levels.h"

#include <string.h>

static bool is_same_place(struct range a, struct range b) {
    return a.begin.file == b.begin.file && a.begin.offset == b.begin.offset;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* `rest`: the analysis in which what was found so far is lifted. */
struct search {
    const struct plan *plan;
    struct arena *arena;
    int count;
    struct plan_obstacle *found;
    struct analysis *rest;
};

static void add(struct search *s, struct plan_obstacle one) {
    for (int i = 0; i < s->count; ++i)
        if (s->found[i].code == one.code && (is_same_place(s->found[i].where, one.where) ||
                                             strcmp(s->found[i].message, one.message) == 0))
            return;
    ARENA_PUSH(s->arena, s->found, s->count, one);
}

static struct plan_obstacle of_plan(const struct plan *plan) {
    return (struct plan_obstacle){plan->code, plan->message, plan->fix, plan->where, plan->culprit};
}

static void add_refusals(struct search *s) {
    const struct loop_facts *facts = s->plan->analysis->facts;
    for (int i = 0; i < facts->nrefusals; ++i) {
        const struct refusal *r = &facts->refusals[i];
        if (plan_is_printed_last(facts, r))
            continue;
        add(s, (struct plan_obstacle){r->code, r->message, r->fix, r->range, NULL});
    }
}

static bool is_touched_at(const struct search *s, const struct object *object, struct range where) {
    const struct loop_facts *facts = s->plan->analysis->facts;
    for (int i = 0; i < facts->naccesses; ++i)
        if (facts->accesses[i].object == object && is_same_place(facts->accesses[i].range, where))
            return true;
    return false;
}

/* Of a variable that a refusal spoke of already nothing more is said. */
static bool is_refused(const struct search *s, const struct dependence *dep) {
    for (int i = 0; i < s->count; ++i)
        if (!s->found[i].culprit && is_touched_at(s, dep->object, s->found[i].where))
            return true;
    return false;
}

/* Drops the dependences through what `dep` goes through. */
static void lift(struct analysis *rest, const struct object *object) {
    int kept = 0;
    for (int i = 0; i < rest->ndeps; ++i)
        if (rest->deps[i].object != object && rest->deps[i].sink->object != object)
            rest->deps[kept++] = rest->deps[i];
    rest->ndeps = kept;
}

static void lift_refused(struct search *s) {
    for (int i = 0; i < s->rest->ndeps;) {
        const struct dependence *dep = &s->rest->deps[i];
        bool refused = is_refused(s, dep);
        if (refused)
            lift(s->rest, dep->object);
        i = refused ? 0 : i + 1;
    }
}

/* The reason that the dependences give; NULL culprit: no single one of them. */
static struct plan_obstacle next_of(const struct search *s) {
    struct plan next = {.analysis = s->rest, .space = -1, .partner = -1, .code = ORR2190};
    next.where = s->rest->loop->header;
    plan_explain_serial(&next);
    return of_plan(&next);
}

static bool has_uncovered(const struct analysis *analysis) {
    for (int i = 0; i < analysis->ndeps; ++i) {
        bool covered = !dep_holds(&analysis->deps[i]);
        for (int d = 0; d < analysis->ndims; ++d)
            covered |= analysis->dims[d].kind == DIM_KEY && dep_is_zero(&analysis->deps[i], d);
        if (!covered)
            return true;
    }
    return false;
}

/* What no key keeps apart, and no list that is made before an iteration runs. */
static bool stays_serial(const struct search *s) {
    struct plan listed = {.analysis = s->rest, .strategy = STRATEGY_LEVELS, .space = -1};
    bool keyed = false;
    return has_uncovered(s->rest) &&
           (plan_levels(&listed, &keyed) || !keyed || (s->rest->unordered && !levels_few(&listed)));
}

/* What is not known may be so for a value that a refusal speaks of: once it is lifted, it is. */
static bool follows(const char *code) {
    return code == ORR2105 || code == ORR2108;
}

enum { MOST = 32 };

/* Each turn lifts the object of one dependence. */
static void look(void *data) {
    struct search *s = data;
    struct loop_facts *facts = s->plan->analysis->facts;
    const struct analysis *analysis = s->plan->analysis;
    bool again = facts->nrefusals > 0;
    facts->nrefusals = 0;
    s->rest = arena_alloc(s->arena, sizeof *s->rest);
    *s->rest = again ? *analysis_run(facts) : *analysis;
    struct dependence *deps = arena_alloc(s->arena, (size_t)(s->rest->ndeps + 1) * sizeof *deps);
    if (s->rest->ndeps > 0)
        memcpy(deps, s->rest->deps, (size_t)s->rest->ndeps * sizeof *deps);
    s->rest->deps = deps;
    lift_refused(s);
    while (s->count < MOST && stays_serial(s)) {
        struct plan_obstacle next = next_of(s);
        if (next.culprit) {
            struct dependence *culprit = arena_alloc(s->arena, sizeof *culprit);
            *culprit = *next.culprit;
            next.culprit = culprit;
        }
        if (!again || !follows(next.code))
            add(s, next);
        if (!next.culprit)
            return;
        lift(s->rest, next.culprit->object);
    }
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Nobody has asked for loops without a mark, of which a file may have thousands. */
static bool can_be_asked(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    const struct loop *loop = plan->analysis->loop;
    bool much = false;
    for (int i = 0; i < facts->nrefusals; ++i)
        much |= facts->refusals[i].code == ORR2190 || facts->refusals[i].code == ORR2230 ||
                message_class_of(facts->refusals[i].code) == MESSAGE_USER;
    bool asked = loop->pragma && loop->pragma->kind == PRAGMA_SERIAL;
    return loop_is_marked(loop) && !plan->not_outlined && !much && !asked && loop->canonical &&
           facts->ninner > 0 && facts->inner[0].step != 0 &&
           message_class_of(plan->code) != MESSAGE_OF_TEXT && !plan->gpu;
}

static void sort(struct plan_obstacle *list, int count) {
    for (int i = 1; i < count; ++i) {
        struct plan_obstacle one = list[i];
        int at = i;
        for (; at > 0 && plan_obstacle_rank(list[at - 1].code) > plan_obstacle_rank(one.code); --at)
            list[at] = list[at - 1];
        list[at] = one;
    }
}

void plan_find_obstacles(struct plan *plan) {
    static const struct budget most = {2000000, 32L << 20};
    struct search s = {.plan = plan, .arena = plan_arena(plan)};
    struct loop_facts *facts = plan->analysis->facts;
    const struct loop_facts before = *facts;
    add(&s, of_plan(plan));
    add_refusals(&s);
    const struct search early = s;
    if (can_be_asked(plan) && !budget_try(s.arena, &most, look, &s))
        s = early;
    *facts = before;
    sort(s.found + 1, s.count - 1);
    plan->obstacles = s.found;
    plan->nobstacles = s.count;
}
