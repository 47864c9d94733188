/* What the ranks of a job say of themselves
 * (runtime/base/board_format.h), as `orrery run` reads it. */
#ifndef ORRERY_TOOLS_BOARD_H
#define ORRERY_TOOLS_BOARD_H

#include "runtime/base/board_format.h"

#include <stdbool.h>
#include <stddef.h>

/* A rank is silent when its board has not moved for so many seconds; it has not come up when it has
 * none so many seconds after the start. */
enum { BOARD_SILENCE = 6, BOARD_START = 60 };

/* What a rank may be found to be: a process of this machine that is gone; alive and not heard of;
 * started and never heard of. */
enum board_loss { BOARD_NO_LOSS, BOARD_DEAD, BOARD_SILENT, BOARD_NOT_UP };

/*
 * `folder`: NULL = no boards. `ranks`: how many there are; `here`: all of them on this machine.
 * `last`, `since`: the last beat of each and when it came. `started`: when somebody looked first.
 * `finished`: rank 0 has left the job in an orderly way; the launcher ends the others as it likes.
 */
struct boards {
    const char *folder;
    int ranks;
    struct orrery_board *last;
    double *since, started;
    bool here, finished;
};

/* Empties the folder, makes it where it is missing. `ranks`: 0 counts as 1. `here`: all of them are
 * of this machine, so that a board which is not in the folder is nowhere. */
void boards_start(struct boards *boards, const char *folder, long ranks, bool here);

/* Reads all boards, at this time. */
void boards_read(struct boards *boards, double now);

/* Looks at all boards. The rank that is lost and what became of it; -1 for none. */
int boards_look(struct boards *boards, double now, enum board_loss *loss);

/* "rank 1 on node3 (loop mf.c:67, pass 4, block 3, 7)", for a message. */
void boards_describe(const struct boards *boards, int rank, char *text, size_t size);

void boards_end(struct boards *boards);

#endif
