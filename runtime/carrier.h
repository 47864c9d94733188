/*
 * Columns between ranks. A column visits its rows in falling order, so on a rank it comes in at the
 * last row and goes out at the first; it is received and sent exactly once per region and rank, and
 * is back where it started at the end (docs/runtime.md, "Batons between ranks").
 */
#ifndef ORRERY_RUNTIME_CARRIER_H
#define ORRERY_RUNTIME_CARRIER_H

#include <stdbool.h>

struct dsm_array;
struct orrery_carrier;
struct orrery_region;

/*
 * For a region of a rank with rows, of which `from` is the rank of row row_high (cyclic) and `to`
 * that of row row_low - 1. arrays: the rotating ones. Kept and used again while the grid stays.
 */
struct orrery_carrier *orrery_carrier_new(const struct orrery_region *region, int from, int to,
                                          int narrays, struct dsm_array *const *arrays);
void orrery_carrier_free(struct orrery_carrier *carrier);

/* The column comes from another rank for this row, which is its turn-th. */
bool orrery_carrier_brings(const struct orrery_carrier *carrier, long row, long turn);

/* The worker with the rank's first row sends, the one with the last receives. */
void orrery_carrier_join(struct orrery_carrier *carrier, bool sends, bool receives);

/* Receiving worker: returns when the column is here. */
void orrery_carrier_take(struct orrery_carrier *carrier, long column);

/* After a block: the column is sent on when the row was the rank's first; others' messages are
 * looked after by the two workers. */
void orrery_carrier_pass(struct orrery_carrier *carrier, long row, long column);

/* The worker's last act in a region: waits for what it has under way. Returns the seconds waited.
 */
double orrery_carrier_leave(struct orrery_carrier *carrier, bool sends, bool receives);

#endif
