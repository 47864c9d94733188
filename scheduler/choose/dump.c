/*
 * --dump=plan: one plan, one fact per line.
 */
#include "scheduler/strategy/pipeline/pipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *dim_name(const struct plan *plan, int dim) {
    return dim >= 0 ? plan->analysis->dims[dim].name : "-";
}

static void dump_grid(const struct plan *plan, FILE *out) {
    fprintf(out, "  space %s", dim_name(plan, plan->space));
    if (plan->partner >= 0)
        fprintf(out, " with %s", dim_name(plan, plan->partner));
    fprintf(out, " time %s", dim_name(plan, plan->ntimes ? plan->times[0] : -1));
    for (int i = 1; i < plan->ntimes; ++i)
        fprintf(out, ", %s", dim_name(plan, plan->times[i]));
    fprintf(out, " grid %ld", plan->grid[0]);
    for (int i = 1; i < plan_grid_numbers(plan); ++i)
        fprintf(out, " x %ld", plan->grid[i]);
}

static void dump_wave(const struct plan_wave *wave, FILE *out) {
    fprintf(out, "  wave %s skew %ld:", wave->direction > 0 ? "up" : "down", wave->skew);
    for (int i = 0; i < wave->nparts; ++i) {
        const struct wave_part *part = &wave->parts[i];
        if (part->kind == WAVE_DECLARATION) {
            fprintf(out, " declaration");
        } else {
            fprintf(out, " %s %s%s shift %ld", part->kind == WAVE_LOOP ? "loop" : "statement with",
                    part->kind == WAVE_LOOP ? ""
                    : part->at_end          ? "last "
                                            : "first ",
                    part->loop->loop->variable->name, part->shift);
        }
    }
    fprintf(out, "\n");
}

/* "stage 1 (40 ns): lines 12 14" and "value e from 1 to 2" */
static void dump_pipe(const struct plan_pipe *pipe, FILE *out) {
    for (int s = PIPE_EVERYWHERE; s < pipe->nstages; ++s) {
        if (s >= 0)
            fprintf(out, "  stage %d, %.0f ns: lines", s + 1, pipe->costs[s]);
        else
            fprintf(out, "  every stage: lines");
        for (int p = 0; p < pipe->nparts; ++p)
            if (pipe->parts[p].stage == s)
                fprintf(out, " %d", pipe->parts[p].stmt->range.begin.line);
        fprintf(out, "\n");
    }
    for (int g = 0; g < pipe->nlate; ++g) {
        fprintf(out, "  late with stage %d, after %d rounds: lines", pipe->late[g].row + 1,
                pipe->late[g].age);
        for (int p = 0; p < pipe->nparts; ++p)
            if (pipe->parts[p].stage == pipe->nstages + g)
                fprintf(out, " %d", pipe->parts[p].stmt->range.begin.line);
        fprintf(out, "\n");
    }
    for (int i = 0; i < pipe->nvalues; ++i) {
        const struct pipe_value *value = &pipe->values[i];
        fprintf(out, "  %s %s: stages", value->carried ? "carried" : "own", value->var->name);
        for (int s = 0; s < pipe->nstages + pipe->nlate; ++s)
            if (value->touched >> s & 1)
                fprintf(out, " %d%s", s + 1, value->written >> s & 1 ? "w" : "");
        fprintf(out, "\n");
    }
}

static bool is_first(const struct loop_facts *facts, int upto) {
    for (int i = 0; i < upto; ++i)
        if (facts->accesses[i].object == facts->accesses[upto].object &&
            strcmp(facts->accesses[i].text, facts->accesses[upto].text) == 0)
            return false;
    return true;
}

/* "    lists w[feature[p]] over p" */
static void dump_slice(const struct plan *plan, const struct object *object, FILE *out) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->naccesses; ++i) {
        const struct access *a = &facts->accesses[i];
        if (a->object != object || !is_first(facts, i))
            continue;
        int loops[a->nloops + 1], n = plan_touch_loops(facts, a, 0, loops);
        fprintf(out, "    lists %s", a->text);
        for (int l = 0; l < n; ++l)
            fprintf(out, "%s%s", l ? ", " : " over ", facts->inner[loops[l]].loop->variable->name);
        fprintf(out, "\n");
    }
}

void plan_dump(const struct plan *plan, void *stream) {
    FILE *out = stream;
    const struct loop *loop = plan->analysis->loop;
    fprintf(out, "plan of loop %d in %s, line %d: %s\n", loop->id,
            loop->function ? loop->function->name : "?", loop->header.begin.line,
            strategy_name(plan->strategy));
    fprintf(out, "  %s %s\n", plan->code, plan->message);
    if (plan->fix)
        fprintf(out, "  fix: %s\n", plan->fix);
    if (plan->strategy == STRATEGY_SERIAL)
        return;
    dump_grid(plan, out);
    fprintf(out, " seed %" PRIu64 "%s%s\n", plan->seed, plan->by_key ? " by key" : "",
            plan->from_file ? " from file" : "");
    if (plan->wave)
        dump_wave(plan->wave, out);
    if (plan->pipe)
        dump_pipe(plan->pipe, out);
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *a = &plan->arrays[i];
        fprintf(out, "  %s %s", placement_name(a->placement), a->object->name);
        fprintf(out, a->dim >= 0 ? " by %s\n" : "%s\n", a->dim >= 0 ? dim_name(plan, a->dim) : "");
        if (a->why)
            fprintf(out, "    %s\n", a->why);
        if (a->placement == PLACE_SERVED)
            dump_slice(plan, a->object, out);
    }
    if (plan->bytes_moved)
        fprintf(out, "  moves %s\n", plan->bytes_moved);
    if (plan->bytes_per_rank)
        fprintf(out, "  each rank has %s\n", plan->bytes_per_rank);
}
