/* Guards, as everybody counts them. */
#ifndef ORRERY_SCHEDULER_GUARD_H
#define ORRERY_SCHEDULER_GUARD_H

#include "analyzer/analyzer.h"

/* The guard says the same of the same two objects as one before it. */
bool emit_guard_is_repeated(const struct loop_facts *facts, int index);

/* The guard wants two arrays apart that are pointers of the program's, with numbers of one type, and of
 * the one only elements are used that the same iteration writes by the name of the other: where both
 * are equal iterations meet no more than where they are apart. `kept`: the one that is written. */
bool guard_is_elementwise(const struct loop_facts *facts, const struct guard *guard,
                          const struct variable **kept, const struct variable **twin);

/* The condition under which the loop runs as it is written, for a guard that has one. */
const char *guard_serial_words(struct arena *arena, const struct guard *guard);

#endif
