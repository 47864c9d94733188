/* What this rank tells of itself while it runs (board_format.h). Without ORRERY_BOARD nothing. */
#ifndef ORRERY_RUNTIME_BOARD_H
#define ORRERY_RUNTIME_BOARD_H

#include "runtime/base/board_format.h"

/* NULL without a board. */
extern struct orrery_board *orrery_board;

/* After dsm_start. Begins the beat. */
void orrery_board_start(void);

/* Returns the phase before. */
static inline uint32_t orrery_board_phase(enum orrery_phase phase) {
    if (!orrery_board)
        return phase;
    uint32_t before = orrery_board->phase;
    orrery_board->phase = phase;
    return before;
}

void orrery_board_loop(const char *where);

static inline void orrery_board_block(long row, long column) {
    if (orrery_board) {
        orrery_board->row = row;
        orrery_board->column = column;
    }
}

static inline void orrery_board_pass(long pass) {
    if (orrery_board)
        orrery_board->pass = pass;
}

#endif
