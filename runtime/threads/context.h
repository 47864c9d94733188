/*
 * What C keeps for every thread and a loop's body sees or leaves behind: the floating-point
 * environment (C11 7.6) and errno (7.5). All threads and ranks of a region compute with what the
 * thread that reached the loop had: the direction of rounding, traps, on x86 how denormal numbers
 * are taken. What any of them raised is raised for that thread when the region ends, and errno is
 * EDOM or ERANGE when the mathematical library set it on any (of several the one of the last worker
 * of the last rank); else it is what it was.
 */
#ifndef ORRERY_RUNTIME_CONTEXT_H
#define ORRERY_RUNTIME_CONTEXT_H

#include <fenv.h>
#include <stdbool.h>

/* What the jobs of a region left: exceptions as fetestexcept names them, and an errno or 0;
 * `stopped`: a body met what only the serial loop can do. */
struct orrery_marks {
    int exceptions, error, stopped;
};

/* Rank 0's program thread, around a region. */
void orrery_context_begin(void);
void orrery_context_end(void);

/* Ranks above 0, around their part of a region: `floats` is what rank 0 has. */
void orrery_context_adopt(const fenv_t *floats);
struct orrery_marks orrery_context_marks(void);

/* A body, any worker of any rank: only the serial loop can do this. True: the first of the rank. */
bool orrery_context_stop(void);

/* Rank 0, after its own part: what another rank left. Ranks in rising order. */
void orrery_context_add(struct orrery_marks marks);

/* A worker's job between them; `floats`: NULL on the thread that had them already. */
void orrery_context_enter(const fenv_t *floats);
void orrery_context_leave(int worker);

#endif
