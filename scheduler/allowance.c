/* The plans of a unit's loops, each in its share of the steps and bytes that the unit may take. */
#include "scheduler/compile.h"

#include "analyzer/budget.h"

#include <string.h>

/* One loop that is being planned. `given`: the second look, at what guards make true. `left`: what
 * the unit may still take. */
struct planning {
    const struct compile_request *request;
    struct unit *unit;
    struct loop *loop;
    struct plan *plan, *given;
    struct budget *left;
};

static const struct cost_loop *measured_of(const struct planning *p) {
    struct loc place = p->loop->header.begin;
    return cost_profile_find(p->request->profile, p->unit->files[place.file].name, place.line);
}

static void plan_facts(struct planning *p, struct loop_facts *facts) {
    p->plan = plan_choose_by(analysis_run(facts), measured_of(p), p->request->cluster);
}

/* Takes the reads of one object away. */
static void drop_reads(struct loop_facts *facts, const char *name) {
    int count = 0;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->write || !a->object->name || strcmp(a->object->name, name) != 0)
            facts->accesses[count++] = *a;
    }
    facts->naccesses = count;
}

static void plan_loop(void *data) {
    struct planning *p = data;
    struct loop_facts *facts = facts_collect(p->unit, p->loop);
    if (p->request->drop)
        drop_reads(facts, p->request->drop);
    plan_facts(p, facts);
}

static void plan_given(void *data) {
    struct planning *p = data;
    struct analysis *given = analysis_given(p->plan->analysis);
    p->given = given ? plan_choose_by(given, measured_of(p), p->request->cluster) : NULL;
}

/*
 * What a unit may take, and a loop of it: about 20 times a compiler's time, and less than 1 GB. The
 * largest loops of the samples take 9 million steps and 60 MB; a small one gets its answer wherever
 * it stands.
 */
#define UNIT_STEPS 32000000L
#define UNIT_STEPS_PER_EXPRESSION 1000L
#define UNIT_BYTES (640L << 20)
#define LOOP_STEPS_LEAST 30000L
static const struct budget most_of_loop = {12000000, 128L << 20};

static struct budget budget_of_unit(const struct unit *unit) {
    return (struct budget){UNIT_STEPS + UNIT_STEPS_PER_EXPRESSION * unit->nexprs, UNIT_BYTES};
}

/* Its even share, and a quarter of what the others may take. */
static long share(long left, int loops, long most) {
    long even = left / loops, share = even + (left - even) / 4;
    return share < most ? share : most;
}

static struct budget budget_of_loop(const struct budget *left, int loops) {
    long steps = share(left->steps, loops, most_of_loop.steps);
    return (struct budget){steps > LOOP_STEPS_LEAST ? steps : LOOP_STEPS_LEAST,
                           share(left->bytes, loops, most_of_loop.bytes)};
}

/* False: the work was too much, and nothing of it is left. What it took is not there any more. */
static bool try(struct planning *p, int loops, void (*work)(void *)) {
    const struct budget most = budget_of_loop(p->left, loops);
    const struct unit before = *p->unit;
    bool done = budget_try(p->unit->arena, &most, work, p);
    struct budget spent = budget_spent();
    p->left->steps -= spent.steps < p->left->steps ? spent.steps : p->left->steps;
    p->left->bytes -= done ? spent.bytes : 0;
    if (!done)
        *p->unit = before;
    return done;
}

/* `loops`: how many are still to be planned. */
static struct plan *plan_within(struct planning *p, int loops) {
    if (!try(p, loops, plan_loop))
        plan_facts(p, facts_too_much(p->unit, p->loop));
    else if (p->plan->strategy == STRATEGY_SERIAL && try(p, loops, plan_given) && p->given &&
             p->given->strategy != STRATEGY_SERIAL)
        return p->given;
    return p->plan;
}

/* Those that are marked, or the others: `plans` by the loops' numbers. */
static void plan_some(const struct compile_request *request, struct unit *unit, bool marked,
                      struct budget *left, struct plan **plans) {
    int loops = 0;
    for (int i = 0; i < unit->nloops; ++i)
        loops += loop_is_marked(unit->loops[i]) == marked;
    for (int i = 0; i < unit->nloops; ++i) {
        struct planning p = {
            .request = request, .unit = unit, .loop = unit->loops[i], .left = left};
        if (loop_is_marked(p.loop) == marked)
            plans[i] = plan_within(&p, loops--);
    }
}

/* The marked loops come first:
 * they get the same answers whether or not the others are asked for. */
void compile_loops(struct compilation *c, const struct compile_request *request) {
    struct unit *unit = c->unit;
    struct budget left = budget_of_unit(unit);
    struct plan **plans = arena_alloc(c->arena, (size_t)(unit->nloops + 1) * sizeof *plans);
    plan_some(request, unit, true, &left, plans);
    if (request->all)
        plan_some(request, unit, false, &left, plans);
    for (int i = 0; i < unit->nloops; ++i)
        if (plans[i])
            ARENA_PUSH(c->arena, c->plans, c->nplans, plans[i]);
}
