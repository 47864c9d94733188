/*
 * Stages of a pipeline: what parts cost, counted in their text, and how they are assigned to stages
 * so that the slowest of them, which sets the pace, is as quick as can be.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include "scheduler/cost/count.h"

#include <string.h>

/* A loop whose length is not known has so many steps. */
static const double unknown_trips = 32;

double pipe_cost(const struct stmt *stmt) {
    return cost_count(stmt, unknown_trips);
}

/* ---- components ------------------------------------------------------------------------------ */
/* Parts that wait for each other, in an order in which none waits for a later one. */

struct row {
    int count;
    uint64_t parts[PIPE_PARTS];
    double costs[PIPE_PARTS];
};

static bool placed(const struct plan_pipe *pipe, int part, uint64_t done) {
    return pipe->parts[part].stage < 0 || (done >> part & 1);
}

static uint64_t component(const struct plan_pipe *pipe, const struct pipe_order *order, int part) {
    uint64_t mine = UINT64_C(1) << part;
    for (int q = 0; q < pipe->nparts; ++q)
        if ((order->after[part] >> q & 1) && (order->after[q] >> part & 1))
            mine |= UINT64_C(1) << q;
    return mine;
}

static bool waits(const struct plan_pipe *pipe, const struct pipe_order *order, uint64_t mine,
                  uint64_t done) {
    for (int q = 0; q < pipe->nparts; ++q)
        if (!(mine >> q & 1) && !placed(pipe, q, done) && (order->after[q] & mine))
            return true;
    return false;
}

static void row_make(const struct plan_pipe *pipe, const struct pipe_order *order,
                     struct row *row) {
    uint64_t done = 0;
    *row = (struct row){.count = 0};
    for (int p = 0; p < pipe->nparts; ++p) {
        uint64_t mine = component(pipe, order, p);
        if (placed(pipe, p, done) || waits(pipe, order, mine, done))
            continue;
        row->parts[row->count] = mine;
        for (int q = 0; q < pipe->nparts; ++q)
            row->costs[row->count] += mine >> q & 1 ? pipe->parts[q].cost : 0;
        ++row->count;
        done |= mine;
        p = -1;
    }
}

/* ---- stages: runs of the row ----------------------------------------------------------------- */

/* The least cost of the slowest of `stages` runs of the row's first `n`;
 * *last: where the last run begins. */
struct table {
    double slowest[PIPE_PARTS + 1];
    int last[PIPE_STAGES + 1][PIPE_PARTS + 1];
};

static double assign_one_more(const struct row *row, int stages, struct table *table) {
    double next[PIPE_PARTS + 1];
    for (int n = 0; n <= row->count; ++n) {
        double run = 0;
        next[n] = stages == 1 ? 0 : table->slowest[n];
        table->last[stages][n] = n;
        for (int from = n - 1; from >= 0; --from) {
            run += row->costs[from];
            double before = stages == 1 ? (from == 0 ? 0 : 1e300) : table->slowest[from];
            double slowest = run > before ? run : before;
            if (table->last[stages][n] == n ? stages == 1 || slowest < next[n]
                                            : slowest < next[n]) {
                next[n] = slowest;
                table->last[stages][n] = from;
            }
        }
    }
    memcpy(table->slowest, next, sizeof next);
    return next[row->count];
}

static int stages_cut(const struct row *row, const struct table *table, int stages,
                      int of[PIPE_PARTS]) {
    int n = row->count, used = 0;
    for (int s = stages; s > 0 && n > 0; --s) {
        int from = table->last[s][n];
        for (int c = from; c < n; ++c)
            of[c] = s;
        n = from;
    }
    for (int c = 0, before = 0; c < row->count; ++c) {
        used += of[c] != before;
        before = of[c];
        of[c] = used - 1;
    }
    return used;
}

/* Not more stages than are worth a tenth of the pace. */
static int stages_wanted(const struct row *row, int most, struct table *table) {
    double slowest[PIPE_STAGES + 1];
    int wanted = 1;
    for (int s = 1; s <= most; ++s)
        slowest[s] = assign_one_more(row, s, table);
    while (wanted < most && slowest[wanted] > 1.1 * slowest[most])
        ++wanted;
    return wanted;
}

/* What costs next to nothing goes where it is used first: then it need not travel. */
static void sink(const struct plan_pipe *pipe, const struct pipe_order *order,
                 const struct row *row, double slowest, int of[PIPE_PARTS]) {
    for (int c = row->count - 1; c >= 0; --c) {
        int first = PIPE_STAGES;
        uint64_t after = 0;
        for (int p = 0; p < pipe->nparts; ++p)
            after |= row->parts[c] >> p & 1 ? order->after[p] : 0;
        for (int d = c + 1; d < row->count; ++d)
            first = (after & row->parts[d]) && of[d] < first ? of[d] : first;
        if (first < PIPE_STAGES && row->costs[c] < 0.05 * slowest)
            of[c] = first;
    }
}

void pipe_assign(struct plan_pipe *pipe, const struct pipe_order *order, int most) {
    struct row row;
    struct table table;
    int of[PIPE_PARTS] = {0};
    row_make(pipe, order, &row);
    most = most < row.count ? most : row.count;
    if (most < 1)
        return;
    int wanted = stages_wanted(&row, most, &table);
    pipe->nstages = stages_cut(&row, &table, wanted, of);
    sink(pipe, order, &row, table.slowest[row.count], of);
    for (int c = 0; c < row.count; ++c) {
        pipe->costs[of[c]] += row.costs[c];
        for (int p = 0; p < pipe->nparts; ++p)
            if (row.parts[c] >> p & 1)
                pipe->parts[p].stage = of[c];
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static unsigned stages_of(const struct plan_pipe *pipe, uint64_t parts) {
    unsigned stages = 0;
    for (int p = 0; p < pipe->nparts; ++p)
        if ((parts >> p & 1) && pipe->parts[p].stage >= 0)
            stages |= 1u << pipe->parts[p].stage;
    return stages;
}

static int lowest(unsigned stages) {
    int s = 0;
    while (stages && !(stages >> s & 1))
        ++s;
    return s;
}

void pipe_fill_values(const struct loop_facts *facts, struct plan_pipe *pipe,
                      const struct pipe_uses *uses) {
    pipe->nvalues = 0;
    pipe->values = NULL;
    for (int i = 0; i < uses->count; ++i) {
        const struct pipe_use *use = &uses->items[i];
        struct pipe_value value = {.var = use->var,
                                   .carried = use->carried,
                                   .touched = stages_of(pipe, use->touched),
                                   .written = stages_of(pipe, use->written)};
        value.home = lowest(value.written);
        ARENA_PUSH(facts->unit->arena, pipe->values, pipe->nvalues, value);
    }
}
