/* Loops that may run serially when a check fails, or what a plan needs is not there. Rank 0. */
#ifndef ORRERY_RUNTIME_ATTEMPT_H
#define ORRERY_RUNTIME_ATTEMPT_H

#include "runtime/region/region.h"

/*
 * Does `work`, which runs the loop: true. False: it refused (dsm_refuse) before any of the
 * program's memory had changed, which is said as the loop wants it; its state is one that knows
 * nothing. Of a loop that may not run serially a refusal goes on to the attempt that the call is
 * part of (orrery_try), or ends the program.
 */
bool orrery_attempt(struct orrery_loop *loop, void (*work)(void *data), void *data);

/* There was no memory for it once: what its state holds is not asked any more. */
bool orrery_attempt_is_vain(const struct orrery_loop *loop);

/* The passes, one after the other, by the loop's own text. */
void orrery_region_serially(struct orrery_loop *loop, const char *envs, long passes, long count);

#endif
