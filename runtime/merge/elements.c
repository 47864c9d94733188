#include "runtime/merge/elements.h"

#include <string.h>

/* Each loop for the sizes that are worth one of their own. */
#define BY_SIZE(loop, which, ...)                                                                  \
    switch ((which).size) {                                                                        \
    case 4:                                                                                        \
        loop(which, __VA_ARGS__, 4);                                                               \
        break;                                                                                     \
    case 8:                                                                                        \
        loop(which, __VA_ARGS__, 8);                                                               \
        break;                                                                                     \
    default:                                                                                       \
        loop(which, __VA_ARGS__, (which).size);                                                    \
    }

#define INLINE static inline __attribute__((always_inline))

INLINE void gather(struct orrery_elements which, char *to, const char *from, size_t size) {
    for (size_t k = 0; k < which.n; ++k)
        memcpy(to + k * size, from + which.at[k] * size, size);
}

INLINE void scatter(struct orrery_elements which, char *to, const char *from, size_t size) {
    for (size_t k = 0; k < which.n; ++k)
        memcpy(to + which.at[k] * size, from + k * size, size);
}

INLINE void copy(struct orrery_elements which, char *to, const char *from, size_t size) {
    for (size_t k = 0; k < which.n; ++k)
        memcpy(to + which.at[k] * size, from + which.at[k] * size, size);
}

INLINE void clear(struct orrery_elements which, char *to, size_t size) {
    for (size_t k = 0; k < which.n; ++k)
        memset(to + which.at[k] * size, 0, size);
}

void orrery_elements_gather(struct orrery_elements which, char *to, const char *from) {
    BY_SIZE(gather, which, to, from)
}

void orrery_elements_scatter(struct orrery_elements which, char *to, const char *from) {
    BY_SIZE(scatter, which, to, from)
}

void orrery_elements_copy(struct orrery_elements which, char *to, const char *from) {
    BY_SIZE(copy, which, to, from)
}

void orrery_elements_clear(struct orrery_elements which, char *to) {
    BY_SIZE(clear, which, to)
}
