/*
 * Refusals -> edits a program can make. An edit takes the message away; whether it says what the
 * user meant only the user knows, so it is proposed and never made.
 */
#ifndef ORRERY_SCHEDULER_FIXIT_H
#define ORRERY_SCHEDULER_FIXIT_H

#include "scheduler/plan/plan.h"

/* Hangs the edits of a plan that stays serial on `diag`, the message of its verdict. */
void fixit_propose(const struct plan *plan, struct diag_list *list, struct diag *diag);

#endif
