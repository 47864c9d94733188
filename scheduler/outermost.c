/* Which of the loops that could run in parallel do: those that no other one of them runs inside. */
#include "scheduler/base/nesting.h"
#include "scheduler/compile.h"
#include "scheduler/cost/count.h"
#include "scheduler/plan/parts.h"

/* Folding per block gives other bits than the serial loop:
 * who did not mark the loop did not ask. */
static bool keeps_bits(const struct compilation *c, const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions && !c->unit->reassociates; ++i) {
        const struct reduction *reduction = &facts->reductions[i];
        const struct reduction_operator *row = reduction_operator(reduction->op);
        if (reduction->type->kind == TYPE_FLOAT && row && row->rounded)
            return false;
    }
    return true;
}

/* Sums into rows behind a table of pointers, and scratch space there: the rows are copied before
 * the run can look whether the loop is worth it, and whether their sizes are known. */
static bool copies_rows(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object && facts->reductions[i].object->kind == OBJECT_ROWS)
            return true;
    for (int i = 0; i < facts->nscratches; ++i)
        if (facts->scratches[i].object->kind == OBJECT_ROWS)
            return true;
    return false;
}

/*
 * An unmarked loop whose length stands in its text, and which takes less than a region takes to
 * start: the run would never choose it, and asking costs more than the loop. (Nothing unknown is in
 * it when its cost is the same whatever unknown loops take.)
 */
enum { SHORT_NANOSECONDS = 900 };

static bool is_short(const struct compilation *c, const struct loop *loop) {
    double cost = cost_count(loop->stmt, 1);
    return !c->takes_short && loop->canonical && cost < SHORT_NANOSECONDS &&
           cost == cost_count(loop->stmt, 1000);
}

/* An unmarked loop of a header is nobody's business: only the main file is rewritten. */
static bool could_run(const struct compilation *c, const struct plan *plan) {
    const struct loop *loop = plan->analysis->loop;
    bool here = loop->header.begin.file == c->unit->main_file;
    if (plan->strategy == STRATEGY_SERIAL)
        return false;
    return loop_is_marked(loop) || (here && keeps_bits(c, plan) && !copies_rows(plan));
}

static bool may_run(const struct compilation *c, const struct plan *plan) {
    const struct loop *loop = plan->analysis->loop;
    return could_run(c, plan) && (loop_is_marked(loop) || !is_short(c, loop));
}

/* Blocks of a wavefront wait for each other: of loops that nobody marked, one that has a loop inside
 * which needs no waiting gives way to it. */
static bool waits_in_vain(const struct compilation *c, const struct plan *plan) {
    const struct loop *outer = plan->analysis->loop;
    if (plan->strategy != STRATEGY_WAVEFRONT || loop_is_marked(outer))
        return false;
    for (int i = 0; i < c->nplans; ++i) {
        const struct plan *inner = c->plans[i];
        if (inner != plan && inner->strategy != STRATEGY_WAVEFRONT && may_run(c, inner) &&
            nesting_in_text(inner->analysis->loop, outer))
            return true;
    }
    return false;
}

static bool wanted(const struct compilation *c, const struct plan *plan) {
    return may_run(c, plan) && !waits_in_vain(c, plan);
}

/* Few iterations cannot be divided well; a loop inside may, when it has several times as many and
 * takes long enough for a region of its own. */
enum { FEW_TRIPS = 16, TIMES_AS_MANY = 4, LONG_NANOSECONDS = 10000, UNKNOWN_TRIPS = 100 };

static bool is_better(const struct loop *inner, double trips) {
    return cost_count_trips(inner, UNKNOWN_TRIPS) >= TIMES_AS_MANY * trips &&
           cost_count(inner->stmt, UNKNOWN_TRIPS) >= LONG_NANOSECONDS;
}

/* Plans: from the first one to before the last. */
struct stretch {
    int begin, end;
};

/* Plans whose loops may run inside of that of plan `index`: those of its function, which stand
 * together, or, where its loop calls functions (`called`), all. */
static struct stretch plans_inside(const struct compilation *c, int index, const bool *called) {
    if (called)
        return (struct stretch){0, c->nplans};
    const struct function *function = c->plans[index]->analysis->loop->function;
    struct stretch s = {index, index + 1};
    while (s.begin > 0 && c->plans[s.begin - 1]->analysis->loop->function == function)
        --s.begin;
    while (s.end < c->nplans && c->plans[s.end]->analysis->loop->function == function)
        ++s.end;
    return s;
}

/* The plan of a loop inside that is divided in place of this one; NULL: there is none. */
static const struct plan *better_inside(const struct compilation *c, int index) {
    const struct loop *outer = c->plans[index]->analysis->loop;
    const double trips = cost_count_trips(outer, UNKNOWN_TRIPS);
    if (loop_is_marked(outer) || trips >= FEW_TRIPS)
        return NULL;
    const bool *called = nesting_called(c->unit, outer);
    const struct stretch inside = plans_inside(c, index, called);
    for (int i = inside.begin; i < inside.end; ++i) {
        const struct loop *inner = c->plans[i]->analysis->loop;
        if (inner != outer && nesting_inside(inner, outer, called) && wanted(c, c->plans[i]) &&
            is_better(inner, trips))
            return c->plans[i];
    }
    return NULL;
}

/*
 * Marked loops come first: a loop that the user marked in a function called from another parallel
 * loop stays (the run says what to do about it); an unmarked one gives way.
 */
static bool gives_way(const struct loop *loop, const struct loop *outer, const bool *called) {
    if (loop == outer || !nesting_inside(loop, outer, called))
        return false;
    return loop->function == outer->function || !loop_is_marked(loop);
}

/* A marked loop around this one that is cut out, NULL: there is none. */
static const struct loop *marked_around(const struct compilation *c, const struct loop *loop) {
    for (int i = 0; i < c->nplans && loop_is_marked(loop); ++i) {
        const struct loop *around = c->plans[i]->analysis->loop;
        if (c->plans[i]->strategy != STRATEGY_SERIAL && loop_is_marked(around) &&
            nesting_in_text(loop, around))
            return around;
    }
    return NULL;
}

/* Of marked loops inside of each other in the text the outermost is cut out. */
static void refuse_inner(struct compilation *c) {
    for (int i = 0; i < c->nplans; ++i) {
        struct plan *plan = c->plans[i];
        const struct loop *around = marked_around(c, plan->analysis->loop);
        if (!around || plan->strategy == STRATEGY_SERIAL)
            continue;
        plan_make_serial(
            plan, ORR2312, plan->analysis->loop->header,
            arena_printf(c->arena,
                         "the loop stays serial: the loop around it in line %d runs in parallel",
                         around->header.begin.line),
            "take the mark away from one of the two");
        plan->culprit = NULL;
        plan->within = around;
        c->outlines[i] = NULL;
    }
}

static void take(struct compilation *c, int index) {
    int also = c->noutermost;
    ARENA_PUSH(c->arena, c->cut, also, c->outlines[index]);
    ARENA_PUSH(c->arena, c->outermost, c->noutermost, c->plans[index]);
}

void compile_find_outermost(struct compilation *c) {
    refuse_inner(c);
    const int count = c->nplans;
    bool *covered = arena_alloc(c->arena, (size_t)count + 1);
    for (int i = 0; i < count; ++i)
        covered[i] = wanted(c, c->plans[i]) && better_inside(c, i);
    for (int i = 0; i < count; ++i) {
        const struct loop *outer = c->plans[i]->analysis->loop;
        if (covered[i] || !wanted(c, c->plans[i]))
            continue;
        const bool *called = nesting_called(c->unit, outer);
        const struct stretch inside = plans_inside(c, i, called);
        for (int j = inside.begin; j < inside.end; ++j)
            covered[j] |= gives_way(c->plans[j]->analysis->loop, outer, called);
    }
    for (int i = 0; i < count; ++i)
        if (!covered[i] && wanted(c, c->plans[i]))
            take(c, i);
}

static int index_of(const struct compilation *c, const struct plan *plan) {
    int i = 0;
    while (c->plans[i] != plan)
        ++i;
    return i;
}

/* The plan of the loop around it, or NULL. */
static const struct plan *plan_around(const struct compilation *c, const struct plan *plan) {
    for (int i = 0; i < c->nplans; ++i)
        if (c->plans[i]->analysis->loop == plan->analysis->loop->parent)
            return c->plans[i];
    return NULL;
}

const char *compile_left_alone(const struct compilation *c, const struct plan *plan) {
    for (int i = 0; i < c->noutermost; ++i)
        if (c->outermost[i] == plan)
            return NULL;
    if (plan->strategy == STRATEGY_SERIAL)
        return "stays serial";
    if (!keeps_bits(c, plan))
        return "stays serial: a sum in another order has other bits (-ffast-math allows them)";
    if (copies_rows(plan))
        return "stays serial: the rows that it adds to would be copied first (mark it if that "
               "pays)";
    if (!loop_is_marked(plan->analysis->loop) && is_short(c, plan->analysis->loop))
        return "stays serial: it takes less time than a parallel one takes to start";
    if (waits_in_vain(c, plan))
        return "stays serial: a loop inside of it needs no waiting";
    const struct plan *better = wanted(c, plan) ? better_inside(c, index_of(c, plan)) : NULL;
    if (better)
        return arena_printf(
            c->arena, "stays serial: the loop at line %d inside has more iterations to divide",
            better->analysis->loop->header.begin.line);
    const struct plan *around = plan_around(c, plan);
    if (around && around->strategy != STRATEGY_SERIAL)
        return arena_printf(c->arena, "is part of the loop at line %d, which is parallel",
                            around->analysis->loop->header.begin.line);
    return wanted(c, plan) ? "is called from a loop that is parallel"
                           : "stays serial: it stands in a header";
}
