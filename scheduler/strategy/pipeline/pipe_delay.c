/*
 * Feedback through relaxed arrays: where a later statement changes what an earlier one reads, and
 * relax() names the array, the later one runs late. It belongs to the row of the stage that has the
 * array, and comes to an iteration some ranges behind that stage, when the iteration's slot is back
 * from the last one. So all that touches the array is one worker's, in an order that is the same
 * for any number of workers.
 *
 * A group of late parts has a row and an age: the number of times that the slots have gone round.
 * It may use what groups of a smaller age made, or of its age in an earlier row.
 */
#include "scheduler/strategy/pipeline/pipe.h"

struct delaying {
    const struct loop_facts *facts;
    struct plan_pipe *pipe;
    const struct pipe_uses *uses;
    struct pipe_order *order;
    struct strategy_miss *miss;
    int home[PIPE_PARTS]; /* of a late part: the part in whose row it runs; -1: not late */
    int age[PIPE_PARTS];
};

bool pipe_is_relaxed(const struct plan_pipe *pipe, const struct object *object) {
    for (int i = 0; i < pipe->relaxed.count; ++i)
        if (pipe->relaxed.items[i] == object)
            return true;
    return false;
}

static bool is_late(const struct delaying *d, int part) {
    return d->home[part] >= 0;
}

static bool is_after(const struct delaying *d, int early, int late) {
    return d->order->after[early] >> late & 1;
}

/* ---- which parts are late -------------------------------------------------------------------- */

static uint64_t touching(const struct delaying *d, const struct object *object, bool *written) {
    uint64_t parts = 0;
    *written = false;
    for (int i = 0; i < d->facts->naccesses; ++i) {
        const struct access *access = &d->facts->accesses[i];
        int part = access->object == object ? pipe_part_of(d->pipe, access) : -1;
        parts |= part >= 0 ? UINT64_C(1) << part : 0;
        *written = *written || (access->object == object && access->write);
    }
    return parts;
}

/* Something else stands between the two: one stage for both would be its stage, too. */
static bool is_apart(const struct delaying *d, uint64_t parts, int first, int later) {
    for (int w = 0; w < d->pipe->nparts; ++w)
        if (!(parts >> w & 1) && is_after(d, first, w) && is_after(d, w, later))
            return true;
    return false;
}

static void object_delay(struct delaying *d, const struct object *object) {
    bool written;
    uint64_t parts = touching(d, object, &written);
    int first = 0;
    while (parts && !(parts >> first & 1))
        ++first;
    for (int p = first + 1; written && p < d->pipe->nparts; ++p) {
        if (!(parts >> p & 1))
            continue;
        if (is_apart(d, parts, first, p) && !is_late(d, first))
            d->home[p] = first;
        else
            pipe_order_join(d->order, d->pipe->nparts, first, p);
    }
}

static bool is_home(const struct delaying *d, int part) {
    for (int p = 0; p < d->pipe->nparts; ++p)
        if (d->home[p] == part)
            return true;
    return false;
}

/* What needs a late part is late, too, in its row. False: so would be what it is late for. */
static bool followers_delay(struct delaying *d) {
    for (int again = 1; again;) {
        again = 0;
        for (int p = 0; p < d->pipe->nparts; ++p) {
            for (int q = 0; q < d->pipe->nparts && !is_late(d, p); ++q) {
                if (is_late(d, q) && is_after(d, q, p) &&
                    d->pipe->parts[p].stage != PIPE_EVERYWHERE) {
                    if (is_home(d, p))
                        return false;
                    d->home[p] = d->home[q];
                    again = 1;
                }
            }
        }
    }
    return true;
}

/* ---- may they be? ---------------------------------------------------------------------------- */

static bool refuse(struct delaying *d, const struct access *a, int part, const char *name) {
    struct arena *arena = d->facts->unit->arena;
    struct range where = a ? a->range : d->pipe->parts[part].stmt->range;
    *d->miss = (struct strategy_miss){
        ORR2480, where,
        arena_printf(arena,
                     "no pipeline: relax() lets this statement run some iterations late, but not "
                     "what it does with %s, which other statements use, too",
                     name),
        arena_printf(arena, "relax %s as well, or let it be used by this statement only", name),
        true};
    return false;
}

static bool memory_allows(struct delaying *d, const struct access *a, const struct access *b) {
    int u = pipe_part_of(d->pipe, a), v = pipe_part_of(d->pipe, b);
    bool counts = a->object == b->object && (a->write || b->write) && u >= 0 && v >= 0 && u != v &&
                  (is_late(d, u) || is_late(d, v));
    if (!counts || pipe_is_value(d->uses, a->object) || depend_is_private(d->facts, a->object))
        return true;
    bool one_row = pipe_is_relaxed(d->pipe, a->object) &&
                   (d->home[u] == v || d->home[v] == u || d->home[u] == d->home[v]);
    return one_row || !access_bytes_meet(a, b) ||
           refuse(d, is_late(d, u) ? a : b, -1, a->object->name);
}

static bool all_allowed(struct delaying *d) {
    for (int i = 0; i < d->facts->naccesses; ++i) {
        for (int j = 0; j < d->facts->naccesses; ++j)
            if (!memory_allows(d, &d->facts->accesses[i], &d->facts->accesses[j]))
                return false;
    }
    for (int i = 0; i < d->uses->count; ++i) {
        const struct pipe_use *use = &d->uses->items[i];
        for (int p = 0; p < d->pipe->nparts; ++p) {
            bool touches = is_late(d, p) && (use->touched >> p & 1);
            if (touches && (use->pinned || (use->carried && use->written)))
                return refuse(d, NULL, p, use->var->name);
        }
    }
    return true;
}

/* ---- rows and ages --------------------------------------------------------------------------- */

static int row_of(const struct delaying *d, int part) {
    return d->pipe->parts[d->home[part]].stage;
}

/* In the text's order: what a part needs of an iteration stands before it. */
static void ages_find(struct delaying *d) {
    for (int p = 0; p < d->pipe->nparts; ++p) {
        d->age[p] = is_late(d, p) ? 1 : 0;
        for (int q = 0; q < p && is_late(d, p); ++q) {
            if (is_late(d, q) && is_after(d, q, p)) {
                int least = d->age[q] + (row_of(d, q) > row_of(d, p));
                d->age[p] = least > d->age[p] ? least : d->age[p];
            }
        }
    }
}

static int group_of(struct plan_pipe *pipe, int row, int age) {
    for (int g = 0; g < pipe->nlate; ++g)
        if (pipe->late[g].row == row && pipe->late[g].age == age)
            return g;
    return -1;
}

/* Groups stand by age, then by row: the order in which an iteration comes to them. */
static bool groups_make(struct delaying *d) {
    for (int age = 1; age <= PIPE_PARTS; ++age) {
        for (int row = 0; row < d->pipe->nstages; ++row) {
            for (int p = 0; p < d->pipe->nparts; ++p) {
                if (!is_late(d, p) || d->age[p] != age || row_of(d, p) != row)
                    continue;
                if (group_of(d->pipe, row, age) < 0) {
                    if (d->pipe->nstages + d->pipe->nlate == PIPE_STAGES)
                        return false;
                    d->pipe->late[d->pipe->nlate++] = (struct pipe_late){row, age};
                }
                d->pipe->parts[p].stage = d->pipe->nstages + group_of(d->pipe, row, age);
            }
        }
    }
    return true;
}

/* Late parts' work is that of the stage whose row they run in. */
static void costs_move(struct delaying *d, double *cost) {
    for (int p = 0; p < d->pipe->nparts; ++p) {
        if (is_late(d, p)) {
            cost[p] = d->pipe->parts[p].cost;
            d->pipe->parts[p].cost = 0;
            d->pipe->parts[d->home[p]].cost += cost[p];
            d->pipe->parts[p].stage = PIPE_LATE;
        }
    }
}

static void costs_restore(struct delaying *d, const double *cost) {
    for (int p = 0; p < d->pipe->nparts; ++p) {
        if (is_late(d, p)) {
            d->pipe->parts[p].cost = cost[p];
            d->pipe->parts[d->home[p]].cost -= cost[p];
        }
    }
}

bool pipe_assign_late(const struct loop_facts *facts, struct plan_pipe *pipe,
                      const struct pipe_uses *uses, struct pipe_order *order, int most,
                      struct strategy_miss *miss) {
    struct delaying d = {facts, pipe, uses, order, miss, {0}, {0}};
    double cost[PIPE_PARTS];
    for (int p = 0; p < pipe->nparts; ++p)
        d.home[p] = -1;
    for (int i = 0; i < pipe->relaxed.count; ++i)
        object_delay(&d, pipe->relaxed.items[i]);
    if (!all_allowed(&d) || !followers_delay(&d) || !all_allowed(&d))
        return false;
    costs_move(&d, cost);
    pipe_assign(pipe, order, most);
    costs_restore(&d, cost);
    ages_find(&d);
    return groups_make(&d);
}
