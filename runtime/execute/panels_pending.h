/* What a wavefront leaves on the devices of several ranks until somebody reads it
 * (panels_pending.c). */
#ifndef ORRERY_RUNTIME_PANELS_PENDING_H
#define ORRERY_RUNTIME_PANELS_PENDING_H

#include "runtime/execute/panels.h"

/* Rank 0, while panels are made: which memory can be pending, and what comes home all the same.
 * Sets `pending` and the shares' `home`. */
void orrery_panels_defer_plan(struct orrery_panels *panels);

/*
 * Rank 0, at the end of a region. Before its watches begin: those of others on the memory are
 * marked. After that: the pages are pending. `home` has come, and the others can answer.
 */
void orrery_panels_defer_begin(struct orrery_panels *panels);
void orrery_panels_defer(struct orrery_panels *panels);

/* Rank 0, outside of a region that runs by these panels: nothing is pending any more; of groups
 * that `materialize` says (NULL: of all) it has been fetched before. Blocks while others answer. */
void orrery_panels_defer_end(struct orrery_panels *panels, const char *materialize);

/* Rank 0: what is pending of the range is fetched. Blocks while others answer. */
void orrery_panels_materialize(const struct orrery_panels *panels, struct dsm_range range);

/* Rank 0 wants what others wrote last of these bytes of a piece, by the loop's panels. */
struct orrery_panels_question {
    struct orrery_loop *loop;
    int slot;
    long piece;
    struct dsm_range bytes;
};

/* Ranks above 0, when rank 0 has asked:
 * sends what this rank has. The piece is one of the panels'. */
void orrery_panels_answer(const struct orrery_panels *panels,
                          const struct orrery_panels_question *question);

#endif
