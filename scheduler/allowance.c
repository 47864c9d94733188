/* The plans of a unit's loops, each in its share of the steps and bytes that the unit may take. */
#include "scheduler/compile.h"

#include "analyzer/analyzer.h"

/* One loop that is being compiled. `left`: what the unit may still take. */
struct share {
    struct compile_loop loop;
    struct budget *left;
};

static void look(void *data) {
    compile_analyze(data);
}

static void look_again(void *data) {
    compile_analyze_given(data);
}

/*
 * What a unit may take, and a loop of it: about 20 times a compiler's time, and 400 MB with what
 * the parser takes. A loop that calls most of a program takes 8 million steps, one over a solver's
 * sweeps 12 MB; a small one gets its answer wherever it stands.
 */
#define UNIT_STEPS 24000000L
#define UNIT_STEPS_PER_EXPRESSION 1500L
#define UNIT_BYTES (304L << 20)
#define LOOP_STEPS_LEAST 30000L
static const struct budget most_of_loop = {9000000, 96L << 20};

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
static bool try(struct share *s, int loops, void (*work)(void *)) {
    struct unit *unit = s->loop.unit;
    const struct budget most = budget_of_loop(s->left, loops);
    const struct unit before = *unit;
    bool done = budget_try(unit->arena, &most, work, &s->loop);
    struct budget spent = budget_spent();
    s->left->steps -= spent.steps < s->left->steps ? spent.steps : s->left->steps;
    s->left->bytes -= done ? spent.bytes : 0;
    if (!done)
        *unit = before;
    return done;
}

/* `loops`: how many are still to be planned. */
static void analyze_within(struct share *s, int loops) {
    struct compile_loop *loop = &s->loop;
    if (!try(s, loops, look)) {
        compile_too_much(loop);
    } else if (loop->plan->strategy == STRATEGY_SERIAL) {
        const struct compile_loop first = *loop;
        if (!try(s, loops, look_again) || loop->plan->strategy == STRATEGY_SERIAL)
            *loop = first;
    }
}

/* ---- the order ------------------------------------------------------------------------------- */

/* Is a loop around it planned, whose iterations run in parallel without waiting? */
static bool is_covered(const struct loop *loop, const struct compile_loop *done) {
    for (const struct loop *outer = loop->parent; outer; outer = outer->parent) {
        const struct plan *plan = done[outer->id].plan;
        if (plan && plan->strategy != STRATEGY_SERIAL && plan->strategy != STRATEGY_WAVEFRONT)
            return true;
    }
    return false;
}

/* Those of a unit that are marked, or the others; `left` may be spent on them. `done`: by the loops'
 * numbers. */
struct some {
    const struct compile_request *request;
    struct unit *unit;
    bool marked;
    struct budget *left;
    struct compile_loop *done;
};

static bool belongs(const struct some *some, int loop) {
    return !some->done[loop].plan && loop_is_marked(some->unit->loops[loop]) == some->marked;
}

/* That a loop stays serial, without what was found out about it. */
static struct plan *bare_verdict(struct arena *arena, struct loop *loop) {
    struct plan *plan = arena_alloc(arena, sizeof *plan);
    plan->strategy = STRATEGY_SERIAL;
    plan->analysis = arena_alloc(arena, sizeof *plan->analysis);
    plan->analysis->loop = loop;
    return plan;
}

/* What the loop took is counted whether or not it is kept: the others get the same answers. */
static void compile_one(const struct some *some, int loop, int loops) {
    struct share s = {{.request = some->request, .unit = some->unit}, some->left};
    const struct unit before = *some->unit;
    const struct arena_mark mark = arena_mark(before.arena);
    s.loop.loop = some->unit->loops[loop];
    analyze_within(&s, loops);
    compile_outline(&s.loop);
    if (some->request->brief && !some->marked && s.loop.plan->strategy == STRATEGY_SERIAL) {
        *some->unit = before;
        arena_rewind(before.arena, mark);
        s.loop.plan = bare_verdict(before.arena, s.loop.loop);
        s.loop.analysis = s.loop.plan->analysis;
    }
    some->done[loop] = s.loop;
}

/*
 * Outer loops come first, and loops inside of those that run in parallel last: where the allowance
 * ends those are left over that matter least.
 */
static void compile_some(const struct some *some) {
    int loops = 0, deepest = 0;
    for (int i = 0; i < some->unit->nloops; ++i) {
        int depth = some->unit->loops[i]->depth;
        loops += belongs(some, i);
        deepest = depth > deepest ? depth : deepest;
    }
    for (int covered = 0; covered < 2; ++covered) {
        for (int depth = 1; depth <= deepest; ++depth) {
            for (int i = 0; i < some->unit->nloops; ++i) {
                const struct loop *loop = some->unit->loops[i];
                if (belongs(some, i) && loop->depth == depth &&
                    (covered || !is_covered(loop, some->done)))
                    compile_one(some, i, loops--);
            }
        }
    }
}

/* The marked loops come first:
 * they get the same answers whether or not the others are asked for. */
void compile_loops(struct compilation *c, const struct compile_request *request) {
    struct unit *unit = c->unit;
    struct budget left = budget_of_unit(unit);
    struct compile_loop *done = arena_alloc(c->arena, (size_t)(unit->nloops + 1) * sizeof *done);
    compile_some(&(struct some){request, unit, true, &left, done});
    if (request->all)
        compile_some(&(struct some){request, unit, false, &left, done});
    for (int i = 0; i < unit->nloops; ++i)
        if (done[i].plan) {
            ARENA_PUSH(c->arena, c->plans, c->nplans, done[i].plan);
            ARENA_PUSH(c->arena, c->outlines, c->noutlines, done[i].outline);
        }
}
