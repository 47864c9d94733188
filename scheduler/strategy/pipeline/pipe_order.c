/*
 * Which parts of a body wait for which: p before q when an execution of q depends on one of p that
 * comes before it, in the same iteration or in an earlier one. Parts that wait for each other are
 * one stage's.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include "scheduler/transform/output.h"

struct asking {
    const struct loop_facts *facts;
    const struct plan_pipe *pipe;
    const struct pipe_uses *uses;
    struct linear_solver *solver;
    struct pipe_order *order;
};

static bool is_edge(const struct pipe_order *order, int from, int to) {
    return order->after[from] >> to & 1;
}

static void add_edge(struct pipe_order *order, int from, int to) {
    order->after[from] |= UINT64_C(1) << to;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* `later`: b in a later iteration than a, else in the same one. */
static enum linear_answer meets(struct asking *asking, const struct access *a,
                                const struct access *b, bool later) {
    struct conflict c;
    conflict_build(asking->facts->unit->arena, asking->facts, a, b, &c);
    if (later)
        conflict_order(&c, true);
    else
        conflict_same_iteration(&c);
    return linear_solve(asking->solver, &c.system, 0, NULL, NULL);
}

static bool counts(const struct asking *asking, const struct access *a, const struct access *b) {
    return a->object == b->object && (a->write || b->write) && access_bytes_meet(a, b) &&
           !pipe_is_relaxed(asking->pipe, a->object) && !pipe_is_value(asking->uses, a->object) &&
           !depend_is_private(asking->facts, a->object);
}

/* Of a before b. What is too much work to tell counts as a dependence. */
static bool ask(struct asking *asking, const struct access *a, const struct access *b) {
    int u = pipe_part_of(asking->pipe, a), v = pipe_part_of(asking->pipe, b);
    if (u < 0 || v < 0 || asking->pipe->parts[u].stage == PIPE_EVERYWHERE ||
        asking->pipe->parts[v].stage == PIPE_EVERYWHERE) {
        return false;
    }
    if (u == v || is_edge(asking->order, u, v))
        return true;
    bool edge = meets(asking, a, b, true) != LINEAR_EMPTY ||
                (u < v && meets(asking, a, b, false) != LINEAR_EMPTY);
    if (!edge)
        return true;
    add_edge(asking->order, u, v);
    if (u > v && u - v > asking->order->reach) {
        asking->order->reach = u - v;
        asking->order->source = a;
        asking->order->sink = b;
    }
    return true;
}

static bool ask_all(struct asking *asking) {
    const struct loop_facts *facts = asking->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        for (int j = 0; j < facts->naccesses; ++j) {
            const struct access *a = &facts->accesses[i], *b = &facts->accesses[j];
            if (counts(asking, a, b) && !ask(asking, a, b))
                return false;
        }
    }
    return true;
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool in(uint64_t parts, int part) {
    return parts >> part & 1;
}

static void add_both(struct pipe_order *order, int a, int b) {
    add_edge(order, a, b);
    add_edge(order, b, a);
}

/* Within an iteration in the text's order; a carried variable belongs to the stage that writes it,
 * and others see what it is at the end of that. */
static void order_use(const struct pipe_use *use, int nparts, struct pipe_order *order) {
    int last_write = -1;
    for (int p = 0; p < nparts; ++p)
        last_write = in(use->written, p) ? p : last_write;
    for (int u = 0; u < nparts; ++u) {
        for (int v = u + 1; v < nparts; ++v) {
            if (!in(use->touched, u) || !in(use->touched, v) ||
                !(in(use->written, u) || in(use->written, v) || use->pinned)) {
                continue;
            }
            if (use->pinned || (use->carried && v <= last_write))
                add_both(order, u, v);
            else
                add_edge(order, u, v);
        }
    }
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Pieces of one iteration are written in the order in which they are collected. */
static void order_output(const struct plan_pipe *pipe, struct pipe_order *order) {
    int first = -1;
    for (int p = 0; p < pipe->nparts; ++p) {
        if (!output_is_collected(pipe->parts[p].stmt))
            continue;
        if (first >= 0)
            add_both(order, first, p);
        else
            first = p;
    }
}

static void close(struct pipe_order *order, int nparts) {
    for (int k = 0; k < nparts; ++k)
        for (int i = 0; i < nparts; ++i)
            order->after[i] |= is_edge(order, i, k) ? order->after[k] : 0;
}

void pipe_order_join(struct pipe_order *order, int nparts, int a, int b) {
    add_both(order, a, b);
    close(order, nparts);
}

bool pipe_order(const struct loop_facts *facts, const struct plan_pipe *pipe,
                const struct pipe_uses *uses, struct pipe_order *order) {
    struct asking asking = {.facts = facts, .pipe = pipe, .uses = uses, .order = order};
    *order = (struct pipe_order){.source = NULL};
    asking.solver = linear_solver_new(DEPEND_OPERATIONS, 2 * DEPEND_QUESTIONS);
    bool good = ask_all(&asking);
    linear_solver_free(asking.solver);
    for (int i = 0; i < uses->count; ++i)
        order_use(&uses->items[i], pipe->nparts, order);
    order_output(pipe, order);
    close(order, pipe->nparts);
    return good;
}
