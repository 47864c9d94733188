/*
 * Loops without keys whose iterations cost different amounts, as loop->weigh tells: rows of the
 * grid are cut where each gets its share of the work. The data decide, never the number of workers.
 */
#ifndef ORRERY_RUNTIME_WEIGHTS_H
#define ORRERY_RUNTIME_WEIGHTS_H

#include "runtime/region/region.h"

/*
 * Rank 0: where the rows begin, rows + 1 numbers from 0 to count, each row with an iteration at
 * least. Kept until the number of iterations or of rows, or what the weights are read from,
 * changes. NULL: rows are shares of equal length.
 */
const long *orrery_weights_cut(struct orrery_state *state, const void *env, long count, long rows);

#endif
