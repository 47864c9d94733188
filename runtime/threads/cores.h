/*
 * Cores by the kernel's own files. hwloc knows more, and loads its plugins with all their libraries
 * for it (XML, OpenCL, X11): some 5 ms, a thousand times what a short loop takes.
 */
#ifndef ORRERY_RUNTIME_CORES_H
#define ORRERY_RUNTIME_CORES_H

#include <stdbool.h>

/* Cores on which the calling thread may run, those of a core with siblings counted once. 0: the
 * kernel does not tell. Later calls give what the first has found. */
int orrery_cores_count(void);

/* Binds the calling thread to core number `index` of those, from 0: to all siblings it may use. */
void orrery_cores_bind(int index);

#endif
