/* A worker's share of a wavefront on several ranks. */
#ifndef ORRERY_RUNTIME_PANELS_RUN_H
#define ORRERY_RUNTIME_PANELS_RUN_H

#include "runtime/region/region.h"

/* Runs the worker's rows of this rank's panels. Returns the seconds waited. */
double orrery_panels_run(struct orrery_region *region, int worker);

#endif
