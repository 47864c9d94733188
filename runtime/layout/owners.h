/*
 * How the rows of grids are dealt to ranks: consecutive ones, equally many, or by weights that rank 0
 * chose between two regions (runtime/share/balance.c). Ranks decide on no bit: blocks and their
 * partial order stay as they are.
 */
#ifndef ORRERY_RUNTIME_OWNERS_H
#define ORRERY_RUNTIME_OWNERS_H

#include <stdint.h>

/* The rank whose rows include `row`; the first row of a rank, and behind the last one all. */
int orrery_rank_of_row(long row, long rows);
long orrery_first_row_of(int rank, long rows);

/* The first row of part `part` when so many rows are in parts of neighbours, part after part to rank
 * after rank, each with rows by its rank's weight and at least one; no more parts than rows. */
long orrery_first_row_of_part(long part, long parts, long rows);

/* How much more than an equal part of all rows the rank has, 1 = as much; more than 0. */
double orrery_weight_of(int rank);

/* The same by other weights, one per rank. */
long orrery_owners_first(const uint32_t *weights, int rank, long rows);

/* From here on rows are dealt by these weights, one per rank, 0 for no rows, not all of them; NULL:
 * equally many. On all ranks between the same two regions; nothing is laid out or held. */
void orrery_owners_set(const uint32_t *weights);

/* How often they were dealt anew: what follows from other ranks' rows is out of date when this has
 * changed. */
unsigned long orrery_owners_epoch(void);

#endif
