/* What this rank tells of itself while it runs (heartbeat_format.h). Without ORRERY_BOARD
 * and ORRERY_WATCH nothing. */
#ifndef ORRERY_RUNTIME_HEARTBEAT_H
#define ORRERY_RUNTIME_HEARTBEAT_H

#include "runtime/base/heartbeat_format.h"

/* NULL without a heartbeat. */
extern struct orrery_heartbeat *orrery_heartbeat;

/* Blocks that are over. */
extern uint64_t orrery_heartbeat_blocks;

/* Before dsm_start: begins the beat, where the launcher says which rank this is. */
void orrery_heartbeat_start(void);

/* After it: begins the beat if it has not, the rank is up. */
void orrery_heartbeat_up(void);

/* Returns the phase before. */
static inline uint32_t orrery_heartbeat_phase(enum orrery_phase phase) {
    if (!orrery_heartbeat)
        return phase;
    uint32_t before = orrery_heartbeat->phase;
    orrery_heartbeat->phase = phase;
    return before;
}

/* The end of this rank, as the program or the runtime wants it. */
void orrery_heartbeat_ended(enum orrery_ended ended, int status);

/* The rank has left the job. */
void orrery_heartbeat_over(void);

void orrery_heartbeat_loop(const char *where);

/* Rank 0: so many ranks are to have rows, as orrery run says; 0: it does not. */
int orrery_heartbeat_ranks(void);

/* A thread begins this block, */
static inline void orrery_heartbeat_block(long row, long column, long clock) {
    if (orrery_heartbeat) {
        orrery_heartbeat->row = row;
        orrery_heartbeat->column = column;
        orrery_heartbeat->clock = clock;
        __atomic_fetch_add(&orrery_heartbeat->running, 1, __ATOMIC_RELAXED);
    }
}

/* and ends it. */
static inline void orrery_heartbeat_block_over(void) {
    if (orrery_heartbeat) {
        __atomic_fetch_sub(&orrery_heartbeat->running, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&orrery_heartbeat_blocks, 1, __ATOMIC_RELAXED);
    }
}

/* No thread computes a block: some may have left theirs by a refusal. */
static inline void orrery_heartbeat_no_block(void) {
    if (orrery_heartbeat)
        orrery_heartbeat->running = 0;
}

static inline void orrery_heartbeat_pass(long pass) {
    if (orrery_heartbeat)
        orrery_heartbeat->pass = pass;
}

#endif
