/*
 * The proof of a pipeline, from what its blocks are: block (s, t) runs the parts of stage s of the
 * iterations of range t, in the loop's order, behind the blocks (s, t - 1) and (s - 1, t). So what
 * runs in one stage keeps the loop's order, and what runs in a later stage follows everything that
 * earlier stages make of the same iterations and of those before. Nothing else is known of two
 * stages: so no execution in an earlier stage may depend on one in a later stage.
 *
 * An iteration's own variables travel with it: a stage has of each what the stages before it have
 * made of it. That is the serial value when its parts come in the stages' order, as soon as one of
 * two writes it. A carried variable belongs to the stage of all its writes, and later stages see
 * what it is at the end of that: not before the last of them.
 *
 * Late groups: group (row, age) comes to range t in row's block of the column that is age * B
 * columns behind t, B slots being under way, in front of the stage's own part of it. A slot goes
 * round from the first row to the last, so of one range the stages run first, then the groups by
 * age, then by row: that is the order of their numbers, and values may go forward in it. Of two
 * ranges, and of memory, nothing is known but that a row is one worker's, in the order of its
 * columns. So a late part may touch memory that others change only where the clause relax() gives
 * the loop's order up, and where all that touch it are of one row; and nothing that is carried.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include <string.h>

/* ---- form ------------------------------------------------------------------------------------ */

static bool is_shaped_alike(const struct plan_pipe *a, const struct plan_pipe *b) {
    bool same = a->nparts == b->nparts;
    for (int i = 0; same && i < a->nparts; ++i) {
        same = a->parts[i].stmt == b->parts[i].stmt &&
               (a->parts[i].stage == PIPE_EVERYWHERE) == (b->parts[i].stage == PIPE_EVERYWHERE);
    }
    return same;
}

static bool has_good_stages(const struct plan_pipe *pipe) {
    bool good = pipe->nstages > 0 && pipe->nstages <= PIPE_STAGES;
    for (int i = 0; good && i < pipe->nparts; ++i) {
        int stage = pipe->parts[i].stage;
        good = stage == PIPE_EVERYWHERE || (stage >= 0 && stage < pipe->nstages + pipe->nlate);
    }
    for (int g = 0; good && g < pipe->nlate; ++g) {
        const struct pipe_late *late = &pipe->late[g], *before = late - 1;
        good = late->row >= 0 && late->row < pipe->nstages && late->age > 0 &&
               (g == 0 || late->age > before->age ||
                (late->age == before->age && late->row > before->row));
    }
    return good && pipe->nstages + pipe->nlate <= PIPE_STAGES;
}

static bool is_late(const struct plan_pipe *pipe, int part) {
    return pipe->parts[part].stage >= pipe->nstages;
}

/* Does the text say that the loop's order need not hold for the object? */
static bool is_relaxed(const struct plan *plan, const struct object *object) {
    const struct pragma *pragma = plan->analysis->loop->pragma;
    for (int i = 0; pragma && i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        for (int n = 0; clause->kind == CLAUSE_RELAX && n < clause->nnames; ++n)
            if (strcmp(clause->names[n], object->name) == 0)
                return pipe_is_relaxed(plan->pipe, object);
    }
    return false;
}

static bool goes_back(const struct plan_pipe *pipe, const struct pipe_use *use, int u, int v) {
    uint64_t either = (use->written >> u | use->written >> v) & 1;
    bool both = use->touched >> u & use->touched >> v & 1;
    bool apart = pipe->parts[u].stage != pipe->parts[v].stage;
    if (!both || (!either && !use->pinned) || !apart)
        return false;
    bool behind_all = (use->written >> v) == 0;
    return use->pinned || pipe->parts[u].stage > pipe->parts[v].stage ||
           (use->carried && !behind_all);
}

static const char *check_use(struct arena *arena, const struct plan_pipe *pipe,
                             const struct pipe_use *use) {
    for (int p = 0; p < pipe->nparts; ++p) {
        if (use->carried && use->written && (use->touched >> p & 1) && is_late(pipe, p)) {
            return arena_printf(arena, "%s is carried, and a late statement touches it",
                                use->var->name);
        }
    }
    for (int u = 0; u < pipe->nparts; ++u) {
        for (int v = u + 1; v < pipe->nparts; ++v) {
            if (goes_back(pipe, use, u, v)) {
                return arena_printf(
                    arena, "stage %d would not have the value of %s that stage %d makes",
                    pipe->parts[v].stage + 1, use->var->name, pipe->parts[u].stage + 1);
            }
        }
    }
    return NULL;
}

static unsigned stages_of(const struct plan_pipe *pipe, uint64_t parts) {
    unsigned stages = 0;
    for (int i = 0; i < pipe->nparts; ++i)
        stages |= (parts >> i & 1) ? 1u << pipe->parts[i].stage : 0;
    return stages;
}

/* The slots hold every variable of the uses, and the stages that touch it are these. */
static bool has_values(const struct plan_pipe *pipe, const struct pipe_uses *uses) {
    bool good = pipe->nvalues == uses->count;
    for (int i = 0; good && i < uses->count; ++i) {
        const struct pipe_value *value = &pipe->values[i];
        const struct pipe_use *use = &uses->items[i];
        good = value->var == use->var && value->carried == use->carried &&
               value->touched == stages_of(pipe, use->touched) &&
               value->written == stages_of(pipe, use->written) &&
               (!use->carried || !use->written || value->written == 1u << value->home);
    }
    return good;
}

const char *plan_check_pipe_form(const struct plan *plan) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct pipe_uses uses;
    struct strategy_miss miss;
    const struct plan_pipe *shape = pipe_parts(facts, &uses, &miss);
    if (plan_merges(plan->analysis))
        return "stages have no copies of relaxed arrays";
    if (!plan->pipe || !shape || !is_shaped_alike(plan->pipe, shape) ||
        !has_good_stages(plan->pipe)) {
        return "the loop's body has no statements that stages could run apart";
    }
    if (facts->nscratches > 0 || facts->nreductions > 0)
        return "a stage keeps the loop's order, and has no copies of what it changes";
    for (int i = 0; i < uses.count; ++i) {
        const char *why = check_use(facts->unit->arena, plan->pipe, &uses.items[i]);
        if (why)
            return why;
    }
    return has_values(plan->pipe, &uses) ? NULL : "its slots lack a value that stages share";
}

bool plan_check_pipe_exempt(const struct plan *plan, const struct object *object) {
    for (int i = 0; i < plan->pipe->nvalues; ++i)
        if (object->kind == OBJECT_SCALAR && object->var == plan->pipe->values[i].var)
            return true;
    return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Is there a conflict of a before b, in a later iteration or further down in the same one? */
static enum linear_answer follows(const struct plan *plan, struct linear_solver *solver,
                                  const struct access *a, const struct access *b, bool later) {
    const struct loop_facts *facts = plan->analysis->facts;
    struct conflict c;
    conflict_build(facts->unit->arena, facts, a, b, &c);
    if (later)
        conflict_order(&c, true);
    else
        conflict_same_iteration(&c);
    return linear_solve(solver, &c.system, 0, NULL, NULL);
}

static enum linear_answer runs_ahead(const struct plan *plan, struct linear_solver *solver,
                                     const struct access *a, const struct access *b) {
    int u = pipe_part_of(plan->pipe, a), v = pipe_part_of(plan->pipe, b);
    if (u < 0 || v < 0 || plan->pipe->parts[u].stage == PIPE_EVERYWHERE ||
        plan->pipe->parts[v].stage == PIPE_EVERYWHERE) {
        return LINEAR_POINTS;
    }
    bool late = is_late(plan->pipe, u) || is_late(plan->pipe, v);
    bool one_row = pipe_row_of(plan->pipe, u) == pipe_row_of(plan->pipe, v);
    if (late && one_row && a->object == b->object && is_relaxed(plan, a->object))
        return LINEAR_EMPTY;
    if (plan->pipe->parts[u].stage == plan->pipe->parts[v].stage ||
        (!late && plan->pipe->parts[u].stage < plan->pipe->parts[v].stage)) {
        return LINEAR_EMPTY;
    }
    enum linear_answer answer = follows(plan, solver, a, b, true);
    return answer == LINEAR_EMPTY && u < v ? follows(plan, solver, a, b, false) : answer;
}

enum linear_answer plan_check_pipe(const struct plan *plan, struct linear_solver *solver,
                                   const struct access *a, const struct access *b) {
    enum linear_answer answer = runs_ahead(plan, solver, a, b);
    return answer == LINEAR_EMPTY ? runs_ahead(plan, solver, b, a) : answer;
}
