/* What this rank tells of itself while it runs (heartbeat_format.h). Without ORRERY_BOARD
 * and ORRERY_WATCH nothing. */
#ifndef ORRERY_RUNTIME_HEARTBEAT_H
#define ORRERY_RUNTIME_HEARTBEAT_H

#include "runtime/base/heartbeat_format.h"

/* NULL without a heartbeat. */
extern struct orrery_heartbeat *orrery_heartbeat;

/* After dsm_start. Begins the beat. */
void orrery_heartbeat_start(void);

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

static inline void orrery_heartbeat_block(long row, long column) {
    if (orrery_heartbeat) {
        orrery_heartbeat->row = row;
        orrery_heartbeat->column = column;
    }
}

static inline void orrery_heartbeat_pass(long pass) {
    if (orrery_heartbeat)
        orrery_heartbeat->pass = pass;
}

#endif
