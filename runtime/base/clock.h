/* What everything is measured by. */
#ifndef ORRERY_RUNTIME_CLOCK_H
#define ORRERY_RUNTIME_CLOCK_H

/* Monotonic, in seconds. */
double orrery_clock(void);

#endif
