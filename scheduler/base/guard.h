/* Guards, as everybody counts them. */
#ifndef ORRERY_SCHEDULER_GUARD_H
#define ORRERY_SCHEDULER_GUARD_H

#include "analyzer/analyzer.h"

/* The guard says the same of the same two objects as one before it. */
bool emit_guard_is_repeated(const struct loop_facts *facts, int index);

/* The condition under which the loop runs as it is written, for a guard that has one. */
const char *guard_serial_words(struct arena *arena, const struct guard *guard);

#endif
