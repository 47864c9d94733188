/* What a wavefront leaves on the devices of several ranks until somebody reads it
 * (bands_pending.c). */
#ifndef ORRERY_RUNTIME_BANDS_PENDING_H
#define ORRERY_RUNTIME_BANDS_PENDING_H

#include "runtime/execute/bands.h"

/* Rank 0, while bands are made: which memory can be pending, and what comes home all the same. Sets
 * `pending` and the shares' `home`. */
void orrery_bands_defer_plan(struct orrery_bands *bands);

/*
 * Rank 0, at the end of a region. Before its watches begin: those of others on the memory are
 * marked. After that: the pages are pending. `home` has come, and the others can answer.
 */
void orrery_bands_defer_begin(struct orrery_bands *bands);
void orrery_bands_defer(struct orrery_bands *bands);

/* Rank 0, outside of a region that runs by these bands: nothing is pending any more; of groups that
 * `materialize` says (NULL: of all) it has been fetched before. Blocks while others answer. */
void orrery_bands_defer_end(struct orrery_bands *bands, const char *materialize);

/* Rank 0: what is pending of the range is fetched. Blocks while others answer. */
void orrery_bands_materialize(const struct orrery_bands *bands, struct dsm_range range);

/* Rank 0 wants what others wrote last of these bytes of a piece, by the loop's bands. */
struct orrery_bands_question {
    struct orrery_loop *loop;
    int slot;
    long piece;
    struct dsm_range bytes;
};

/* Ranks above 0, when rank 0 has asked:
 * sends what this rank has. The piece is one of the bands'. */
void orrery_bands_answer(const struct orrery_bands *bands,
                         const struct orrery_bands_question *question);

#endif
