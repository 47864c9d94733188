/*
 * Cores by the kernel's own files (sysfs). A library for it, hwloc, loads plugins with all their
 * libraries (XML, OpenCL, X11): some 5 ms, a thousand times what a short loop takes.
 */
#ifndef ORRERY_RUNTIME_CORES_H
#define ORRERY_RUNTIME_CORES_H

/* Cores on which the calling thread may run, those of a core with siblings counted once; where the
 * kernel does not tell of siblings, processing units. Later calls give what the first has found. */
int orrery_cores_count(void);

/* Binds the calling thread to core number `index` of those, from 0: to all siblings it may use. */
void orrery_cores_bind(int index);

/* Of those this rank's share: other ranks of its host may run on them, too. At least 1. */
int orrery_rank_cores(void);

/* Binds the calling thread, one of so many workers, to the rank's core number `worker`, when binding
 * is on. */
void orrery_rank_bind(int worker, int workers);

#endif
