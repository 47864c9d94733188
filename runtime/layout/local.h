/*
 * One rank, several workers: parameters in partition order while a region runs. Neighbouring rows
 * belong to different parts, since keys are cut in a random order; where rows share cache lines,
 * workers would pass these to and fro. Rows are copied in at the start and back at the end. So they
 * are where arrays are spilled, with one worker, too: there a part's rows are to be read together.
 */
#ifndef ORRERY_RUNTIME_LOCAL_H
#define ORRERY_RUNTIME_LOCAL_H

#include "runtime/region/region.h"

/* Decides for each dim whether its arrays get copies (inspection->relabel). True when any does. */
bool orrery_local_choose(const struct orrery_state *state, struct orrery_inspection *inspection);

/* The choice for the inspection is the one of this run's shapes: rows may have another length now. */
bool orrery_local_holds(const struct orrery_state *state);

/* Bytes that several workers of one rank would copy in and back for a region. */
double orrery_local_bytes(const struct orrery_state *state);

/* Copies in; the environments for the bodies, one per pass,
 * which are `envs` itself when nothing is copied. */
const char *orrery_local_enter(struct orrery_state *state, const char *envs, long passes);

/* Copies back what is written. */
void orrery_local_leave(struct orrery_state *state);

/* Before the inspection goes: arrays have all rows, copies none. */
void orrery_local_forget(struct orrery_state *state);

/* Bytes of the copies of a dim's arrays, 0: there are none; the memory of a part of them. */
size_t orrery_local_size(const struct orrery_state *state, int d);
void orrery_local_part(const struct orrery_state *state, int d, long part,
                       void (*see)(const char *low, const char *high));

#endif
