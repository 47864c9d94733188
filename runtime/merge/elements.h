/*
 * Elements of one size that a list names by their numbers, copied as words where they are words: a
 * call for each would take longer than the copy.
 */
#ifndef ORRERY_RUNTIME_ELEMENTS_H
#define ORRERY_RUNTIME_ELEMENTS_H

#include <stddef.h>
#include <stdint.h>

/* Which elements: `n` of `size` bytes each. */
struct orrery_elements {
    const uint32_t *at;
    size_t n, size;
};

/* to[k] = from[at[k]]. */
void orrery_elements_gather(struct orrery_elements which, char *to, const char *from);

/* to[at[k]] = from[k]. */
void orrery_elements_scatter(struct orrery_elements which, char *to, const char *from);

/* to[at[k]] = from[at[k]]. */
void orrery_elements_copy(struct orrery_elements which, char *to, const char *from);

/* to[at[k]] = 0, all bytes. */
void orrery_elements_clear(struct orrery_elements which, char *to);

#endif
