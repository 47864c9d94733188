/* Figures of the run: ORRERY_STATS=1 prints them on stderr when the program ends. */
#ifndef ORRERY_RUNTIME_SUMMARY_H
#define ORRERY_RUNTIME_SUMMARY_H

#include "runtime/region/stats.h"

/* Collective, at the end of the program: rank 0 prints the summary when it is wanted. */
void orrery_stats_collect(void);

#endif
