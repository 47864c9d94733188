/* What strategies' own costs are made of. */
#ifndef ORRERY_SCHEDULER_PLAN_PREDICT_PARTS_H
#define ORRERY_SCHEDULER_PLAN_PREDICT_PARTS_H

#include "scheduler/cost/cost.h"
#include "scheduler/plan/parts.h"

/* What a pass is made of, in seconds. */
enum cost_part { COST_WORK, COST_WAVE, COST_ROUNDS, COST_MOVING, COST_INSPECTION, COST_PARTS };

/* `bytes`: sent by a rank in a pass. `guessed`: the size of an
 * array that moves is assumed, and moving does not count. `one_rank`:
 * the array that keeps it on one rank, NULL = none. */
struct plan_estimate {
    double parts[COST_PARTS], seconds, bytes;
    bool guessed;
    const struct object *one_rank;
};

/* What a strategy's own cost goes by. `iterations`: of a pass; `work`: seconds of one worker for
 * it, in all; `workers`: among which COST_WORK divides it. */
struct cost_question {
    const struct plan *plan;
    const struct cost_cluster *cluster;
    double iterations, work, workers;
};

/* Parts of a dim of the grid that a run takes at least (runtime/grid/grid.c). */
double predict_parts(const struct plan *plan, int dim);

/* How often the parts of grid dim `dim` go once round all rows in a pass. */
double predict_rounds_of(const struct plan *plan, int dim);

/* COST_WAVE: workers wait while blocks begin on one of them, and end on another. */
void predict_fill(const struct cost_question *question, struct plan_estimate *estimate);

/* COST_ROUNDS and COST_MOVING of parts that go round the rows of the grid. */
void predict_rounds(const struct cost_question *question, struct plan_estimate *estimate);

#endif
