/*
 * Foreign words: those that lead into memory of the process that is not the program's, and so mean
 * nothing to another process (docs/checkpoints.md).
 */
#ifndef ORRERY_CHECKPOINT_FOREIGN_H
#define ORRERY_CHECKPOINT_FOREIGN_H

#include "dsm/dsm.h"

/* Ranges rise; those below and above the program's heap lie in [low, high). `named`: of the head's
 * function, inside of `inner`, its part of the stack. */
struct orrery_foreign {
    long count;
    struct dsm_range *ranges;
    uintptr_t low[2], high[2];
    struct dsm_range inner;
    long nnamed;
    struct dsm_range *named;
};

/* As the memory is mapped now, without the program's segments, its heap and its stack but for the
 * part below `frame`, of which only `named` counts as known. */
void orrery_foreign_read(struct orrery_foreign *foreign, const char *frame);
void orrery_foreign_name(struct orrery_foreign *foreign, const void *address, size_t bytes);
void orrery_foreign_free(struct orrery_foreign *foreign);

bool orrery_foreign_search(const struct orrery_foreign *foreign, uintptr_t word);

static inline bool orrery_is_foreign(const struct orrery_foreign *foreign, uint64_t word) {
    bool near = (word >= foreign->low[0] && word < foreign->high[0]) ||
                (word >= foreign->low[1] && word < foreign->high[1]);
    return near && orrery_foreign_search(foreign, word);
}

#endif
