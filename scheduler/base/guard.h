/* Guards, as everybody counts them. */
#ifndef ORRERY_SCHEDULER_GUARD_H
#define ORRERY_SCHEDULER_GUARD_H

#include "analyzer/analyzer.h"

/* The guard says the same of the same two objects as one before it. */
bool emit_guard_is_repeated(const struct loop_facts *facts, int index);

#endif
