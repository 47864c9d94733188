/* A worker's share of a wavefront on several ranks. */
#ifndef ORRERY_RUNTIME_BANDS_RUN_H
#define ORRERY_RUNTIME_BANDS_RUN_H

#include "runtime/region/region.h"

/* Runs the worker's rows of this rank's bands. Returns the seconds waited. */
double orrery_bands_run(struct orrery_region *region, int worker);

#endif
