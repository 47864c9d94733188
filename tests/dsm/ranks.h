/* What the tests with several ranks share: rank 0 leads, everybody does. */
#ifndef TESTS_DSM_RANKS_H
#define TESTS_DSM_RANKS_H

#include "dsm/dsm.h"

#include <stdio.h>
#include <stdlib.h>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            dsm_fail(1, "%s:%d: expected %s", __FILE__, __LINE__, #condition);                     \
        }                                                                                          \
    } while (0)

/* A step that all ranks take: on rank 0 called by lead(), on the others by serve(). */
typedef void step(const void *payload);

static step *const steps[];

static inline void lead(int which, const void *payload, size_t bytes) {
    dsm_command(which, payload, bytes);
    steps[which](payload);
}

static inline void step_handle(void *data, int op, const void *payload, size_t bytes) {
    (void)data;
    (void)bytes;
    steps[op](payload);
}

static inline unsigned draw(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

void dsm_torture(unsigned seed);

/* Then what is long goes in many pieces. */
static bool tortured;

/* Starts with the seed of the torture as the last argument (0:
 * none). Ranks above 0 do not return. */
static inline void ranks_start(int argc, char **argv) {
    unsigned torture = argc > 1 ? (unsigned)atoi(argv[argc - 1]) : 0;
    if (torture) {
        tortured = true;
        dsm_torture(torture);
    }
    dsm_start("auto");
    if (dsm_rank() > 0) {
        dsm_serve(step_handle, NULL);
        dsm_finish();
        exit(0);
    }
}

static inline int ranks_finish(const char *what) {
    dsm_finish();
    printf("%s: passed on %d ranks\n", what, dsm_ranks());
    return 0;
}

#endif
