/* What a rank has of a loop's arrays, asked for from outside (state.c). */
#ifndef ORRERY_RUNTIME_SHARE_COLLECT_H
#define ORRERY_RUNTIME_SHARE_COLLECT_H

struct orrery_state;

/* Rank 0: the home copy of array a of the loop is valid now (for verify). */
void orrery_sharing_collect(struct orrery_state *state, int a);

/* Ends the job: rank 0's command is not what it must be. */
_Noreturn void orrery_share_refuse(const char *what);

#endif
