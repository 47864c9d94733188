/* Loops that an iteration leaves: the edits by which all iterations run, and the first one counts. */
#ifndef ORRERY_SCHEDULER_FIXIT_LEAVE_H
#define ORRERY_SCHEDULER_FIXIT_LEAVE_H

#include "analyzer/analyzer.h"

/* Hangs them on `diag`, whose words are the jump at `place`; none where a person has to make them. */
void fixit_leave(const struct unit *unit, const struct loop *loop, struct range place,
                 struct diag_list *list, struct diag *diag);

#endif
