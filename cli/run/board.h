/* What the ranks of a job say of themselves (runtime/report/board_format.h), as `orrery run` reads
 * it. */
#ifndef ORRERY_CLI_BOARD_H
#define ORRERY_CLI_BOARD_H

#include "runtime/report/board_format.h"

#include <stdbool.h>
#include <stddef.h>

/* A rank is silent when its board has not moved for so many seconds. */
enum { BOARD_SILENCE = 6 };

/*
 * `folder`: NULL = no boards. `ranks`: how many there are. `seen`, `since`: the last beat of each
 * and when it came. `finished`: some rank has come to the program's end.
 */
struct boards {
    const char *folder;
    int ranks;
    struct orrery_board *last;
    double *since;
    bool finished;
};

/* Empties the folder, makes it where it is missing. `ranks`: 0 counts as 1. */
void boards_start(struct boards *boards, const char *folder, long ranks);

/* Reads all boards, at this time. */
void boards_read(struct boards *boards, double now);

/*
 * Looks at all boards. The rank that is dead (a process of this machine that is gone) or silent, -1
 * for none; `*dead` says which of the two.
 */
int boards_look(struct boards *boards, double now, bool *dead);

/* "rank 1 on node3 (loop mf.c:67, pass 4, block 3, 7)", for a message. */
void boards_describe(const struct boards *boards, int rank, char *text, size_t size);

void boards_end(struct boards *boards);

#endif
