/* What a wavefront leaves on the devices of several ranks until somebody reads it (bands_owe.c). */
#ifndef ORRERY_RUNTIME_BANDS_OWE_H
#define ORRERY_RUNTIME_BANDS_OWE_H

#include "runtime/execute/bands.h"

/* Rank 0, while bands are made: which memory can be owed, and what comes home all the same. Sets
 * `owed` and the shares' `home`. */
void orrery_bands_owe_plan(struct orrery_bands *bands);

/*
 * Rank 0, at the end of a region. Before its watches begin: those of others on the memory are
 * marked. After that: the pages are owed. `home` has come, and the others can answer.
 */
void orrery_bands_owe_begin(struct orrery_bands *bands);
void orrery_bands_owe(struct orrery_bands *bands);

/* Rank 0, outside of a region that runs by these bands: nothing is owed any more; of groups that
 * `pay` says (NULL: of all) it has been fetched before. Blocks while others answer. */
void orrery_bands_owe_end(struct orrery_bands *bands, const char *pay);

/* Rank 0: what is owed of the range is fetched. Blocks while others answer. */
void orrery_bands_pay(const struct orrery_bands *bands, struct dsm_range range);

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
