/* Pipelines: from the facts of a loop to stages, or why there are none. */
#include "scheduler/strategy/pipeline/pipe.h"

#include <string.h>

/* ---- facts ----------------------------------------------------------------------------------- */

/* What a stage that keeps the loop's order makes good:
 * a variable carried from one iteration to the next. */
static bool is_mended(const struct refusal *refusal) {
    static const char *const codes[] = {ORR2201, ORR2202, ORR2270, ORR2275};
    return message_is_one_of(refusal->code, (int)(sizeof codes / sizeof *codes), codes);
}

/* A last value is what a carried variable holds in the end. */
static void drop_lasts(struct loop_facts *facts) {
    int kept = 0;
    for (int i = 0; i < facts->nprivates; ++i)
        if (!facts->privates[i].last_value)
            facts->privates[kept++] = facts->privates[i];
    facts->nprivates = kept;
}

/* What relax() names, as these facts found it: its elements are not the same in every order. */
static void relaxed_find(const struct loop_facts *facts, struct pipe_relaxed *relaxed) {
    *relaxed = (struct pipe_relaxed){0};
    for (int i = 0; i < facts->nreductions; ++i) {
        if (facts->reductions[i].op == REDUCE_RELAX && facts->reductions[i].is_array) {
            ARENA_PUSH(facts->unit->arena, relaxed->items, relaxed->count,
                       facts->reductions[i].object);
        }
    }
}

/* The stages' own facts, and what relax() names: NULL when the loop was refused for what no
 * pipeline mends. Memory that an iteration allocates stays with who runs all of it. */
static struct loop_facts *pipe_facts(const struct loop_facts *old, struct pipe_relaxed *relaxed) {
    if (old->allocates)
        return NULL;
    for (int i = 0; i < old->nrefusals; ++i)
        if (!is_mended(&old->refusals[i]))
            return NULL;
    struct loop_facts *facts = facts_collect(old->unit, old->loop);
    facts->no_copies = true;
    facts->nrefusals = 0;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].op == REDUCE_BUFFER)
            return NULL;
    relaxed_find(facts, relaxed);
    while (facts->nreductions > 0)
        depend_drop_reduction(facts, facts->reductions[facts->nreductions - 1].object);
    drop_lasts(facts);
    return facts;
}

/* Behind a pointer of which nothing is known, or inside of a library, everything may meet. */
static bool is_followed(const struct loop_facts *facts) {
    for (int i = 0; i < facts->naccesses; ++i) {
        enum object_kind kind = facts->accesses[i].object->kind;
        if (kind == OBJECT_UNKNOWN || kind == OBJECT_HIDDEN)
            return false;
    }
    return true;
}

int pipe_part_of(const struct plan_pipe *pipe, const struct access *access) {
    for (int i = 0; i < pipe->nparts; ++i)
        if (plan_is_made_in(access, &pipe->parts[i].stmt->range))
            return i;
    return -1;
}

int pipe_row_of(const struct plan_pipe *pipe, int part) {
    int stage = pipe->parts[part].stage;
    return stage < pipe->nstages ? stage : pipe->late[stage - pipe->nstages].row;
}

int plan_pipe_home(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    int home = -1;
    for (int i = 0; plan->pipe && i < facts->naccesses; ++i) {
        int part = pipe_part_of(plan->pipe, &facts->accesses[i]);
        if (facts->accesses[i].object != object)
            continue;
        int row = part < 0 ? PIPE_EVERYWHERE : pipe_row_of(plan->pipe, part);
        if (row < 0 || (home >= 0 && home != row))
            return -1;
        home = row;
    }
    return home;
}

bool plan_pipe_delays(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *access = &facts->accesses[i];
        int part = pipe_part_of(plan->pipe, access);
        if (access->object == object && access->write && part >= 0 &&
            plan->pipe->parts[part].stage >= plan->pipe->nstages) {
            return true;
        }
    }
    return false;
}

/* ---- is it worth it? ------------------------------------------------------------------------- */

/* Nanoseconds of an iteration below which handing it on would cost more than is gained; what the
 * slowest stage may take of the whole; with how much the loop does not look like stages. */
static const double least_work = 100, most_share = 0.7, whole_share = 0.95;

static double sum_of(const struct plan_pipe *pipe) {
    double sum = 0;
    for (int p = 0; p < pipe->nparts; ++p)
        sum += pipe->parts[p].cost;
    return sum;
}

static const struct pipe_part *dearest(const struct plan_pipe *pipe, int stage) {
    const struct pipe_part *best = NULL;
    for (int p = 0; p < pipe->nparts; ++p) {
        const struct pipe_part *part = &pipe->parts[p];
        if (part->stage == stage && (!best || part->cost > best->cost))
            best = part;
    }
    return best;
}

/* Would the dearest part be a stage of its own, but for what it needs of later ones? */
static bool fails_by_feedback(const struct plan_pipe *pipe, double all, double slowest) {
    double most = 0;
    for (int p = 0; p < pipe->nparts; ++p)
        most = pipe->parts[p].cost > most ? pipe->parts[p].cost : most;
    return slowest > most_share * all && most <= most_share * all;
}

static const char *words_of(const struct access *access) {
    return access->text ? access->text : access->object->name;
}

/* Either what a later statement makes is needed, or what it needs is overwritten. */
static struct strategy_miss feedback(struct arena *arena, const struct pipe_order *order) {
    const struct access *source = order->source, *sink = order->sink;
    bool flow = source->write;
    const char *message = arena_printf(
        arena,
        flow ? "no pipeline: %s needs here what %s (line %d), a later statement, makes of %s in an "
               "iteration before, so both are one stage"
             : "no pipeline: %s overwrites here what %s (line %d), a later statement, reads of %s "
               "in the iteration before, so both are one stage",
        words_of(sink), words_of(source), source->range.begin.line, sink->object->name);
    const char *fix = arena_printf(
        arena,
        "let the earlier statement use only what it and statements before it change; or, where it "
        "may use values of %s that are some iterations old, add relax(%s)",
        sink->object->name, sink->object->name);
    return (struct strategy_miss){ORR2470, sink->range, message,
                                  flow
                                      ? fix
                                      : arena_printf(arena,
                                                     "let the earlier statement put what the later "
                                                     "one needs of %s into a variable of the body",
                                                     sink->object->name),
                                  !flow};
}

/* The same object of other facts is scratch space there. */
static bool is_scratch(const struct loop_facts *facts, const struct object *object) {
    for (int i = 0; i < facts->nscratches; ++i) {
        const struct object *other = facts->scratches[i].object;
        if (other->kind == object->kind && other->var == object->var &&
            (other->base == object->base ||
             (other->base && object->base && expr_equal(other->base, object->base))))
            return true;
    }
    return false;
}

/* `whole`: of the loop as it stands, in which what else is in the way of workers with scratch space of
 * their own says more. */
static bool refuse(const struct loop_facts *facts, const struct loop_facts *whole,
                   const struct plan_pipe *pipe, const struct pipe_order *order,
                   struct strategy_miss *miss) {
    struct arena *arena = facts->unit->arena;
    double all = sum_of(pipe), slowest = 0;
    int stage = 0;
    for (int s = 0; s < pipe->nstages; ++s) {
        stage = pipe->costs[s] > slowest ? s : stage;
        slowest = pipe->costs[s] > slowest ? pipe->costs[s] : slowest;
    }
    *miss = (struct strategy_miss){0};
    if (all < least_work || pipe->nparts < 2 || facts->loop->pragma->unordered)
        return false;
    if (order->source && fails_by_feedback(pipe, all, slowest)) {
        if (!is_scratch(whole, order->sink->object))
            *miss = feedback(arena, order);
        return false;
    }
    const struct pipe_part *part = dearest(pipe, stage);
    if (slowest > most_share * all && slowest < whole_share * all && part) {
        *miss = (struct strategy_miss){
            ORR2471, part->stmt->range,
            arena_printf(
                arena,
                "no pipeline: the stage of this statement has %.0f %% of an iteration's "
                "work (counted), so nothing is gained by giving the others to other workers",
                100 * slowest / all),
            "split the statement into loops that need not each other's results of the next "
            "iteration",
            true};
    }
    return false;
}

static bool is_worth_it(const struct plan_pipe *pipe) {
    double all = sum_of(pipe), slowest = 0;
    for (int s = 0; s < pipe->nstages; ++s)
        slowest = pipe->costs[s] > slowest ? pipe->costs[s] : slowest;
    return pipe->nstages > 1 && all >= least_work && slowest <= most_share * all;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* grid(S, T): at most S stages. */
static int most_stages(const struct plan *plan) {
    const struct pragma *pragma = plan->analysis->loop->pragma;
    long most = plan->grid[0] > 0 ? plan->grid[0] : 8;
    for (int i = 0; pragma && plan->grid[0] == 0 && i < pragma->nclauses; ++i)
        if (pragma->clauses[i].kind == CLAUSE_GRID && pragma->clauses[i].number > 0)
            most = pragma->clauses[i].number;
    return most < PIPE_STAGES ? (int)most : PIPE_STAGES;
}

bool plan_pipe(struct plan *plan, struct strategy_miss *miss) {
    const struct analysis *old = plan->analysis;
    struct pipe_uses uses;
    struct pipe_order order;
    *miss = (struct strategy_miss){0};
    if (!old->loop->canonical || !old->loop->body || old->loop->body->kind != STMT_BLOCK ||
        pipe_cost(old->loop->body) < least_work || !is_followed(old->facts)) {
        return false;
    }
    struct pipe_relaxed relaxed;
    struct loop_facts *facts = pipe_facts(old->facts, &relaxed);
    struct plan_pipe *pipe = facts ? pipe_parts(facts, &uses, miss) : NULL;
    if (!pipe)
        return false;
    pipe->relaxed = relaxed;
    if (sum_of(pipe) < least_work || !pipe_order(facts, pipe, &uses, &order) ||
        !pipe_assign_late(facts, pipe, &uses, &order, most_stages(plan), miss)) {
        return false;
    }
    if (!is_worth_it(pipe))
        return refuse(facts, old->facts, pipe, &order, miss);
    pipe_fill_values(facts, pipe, &uses);
    struct analysis *analysis = analysis_run(facts);
    if (facts->nscratches > 0)
        return false;
    plan->analysis = analysis;
    plan->strategy = STRATEGY_PIPELINE;
    plan->pipe = pipe;
    plan->space = -1;
    plan->by_key = false;
    return true;
}
