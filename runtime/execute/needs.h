/* A limit on each rank's memory, ORRERY_MEMORY. */
#ifndef ORRERY_RUNTIME_NEEDS_H
#define ORRERY_RUNTIME_NEEDS_H

#include "runtime/region/region.h"

/* Bytes that a rank of several, or one that spills, may have beside its budget (ORR9233): the program
 * itself, MPI, buffers. */
#define ORRERY_BESIDE 30e6

/* Rank 0, before others hear of the region; requires: shapes, blocks, and whether it is served.
 * Ends the job when what the loop's arrays need of a rank is more than it may have. */
void orrery_needs_check(const struct orrery_state *state);

/* Any rank, behind a region: ends the job when this rank has had more. */
void orrery_needs_enforce(const char *where);

/* What an address of an array of a loop is, for messages: `W[123], `, or text as it was. */
void orrery_needs_name(const char *address, char *text, size_t size);

#endif
