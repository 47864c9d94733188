/* Functions that other files of the call define. */
#ifndef ORRERY_SCHEDULER_OTHERS_H
#define ORRERY_SCHEDULER_OTHERS_H

#include "scheduler/compile.h"

/*
 * requires: a unit without errors. Parses those of request's others that may define what the unit's
 * loops call and the unit does not define, and joins their definitions (analyzer/import.h). What
 * is wrong in such a file is said where its function is called.
 */
void others_import(struct unit *unit, const struct compile_request *request);

#endif
