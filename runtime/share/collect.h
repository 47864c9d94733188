/* Several ranks: a written array as serial code would see it. */
#ifndef ORRERY_RUNTIME_SHARE_COLLECT_H
#define ORRERY_RUNTIME_SHARE_COLLECT_H

struct orrery_state;

/* Rank 0: the home copy of array a of the loop is valid now (for verify). */
void orrery_sharing_collect(struct orrery_state *state, int a);

#endif
