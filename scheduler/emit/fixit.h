/*
 * Refusals -> edits a program can make. An edit takes the message away; whether it says what the
 * user meant only the user knows, so it is proposed and never made.
 */
#ifndef ORRERY_SCHEDULER_FIXIT_H
#define ORRERY_SCHEDULER_FIXIT_H

#include "scheduler/choose/obstacles.h"

/*
 * Hangs the edits for one reason of a plan that stays serial on `diag`, the message about it, with
 * what they give up; or why there are none although there could be.
 */
void fixit_propose(const struct plan *plan, const struct plan_obstacle *reason,
                   struct diag_list *list, struct diag *diag);

#endif
