/* What the ranks of a job say of themselves
 * (runtime/base/heartbeat_format.h), as `orrery run` reads it. */
#ifndef ORRERY_TOOLS_HEARTBEAT_H
#define ORRERY_TOOLS_HEARTBEAT_H

#include "runtime/base/heartbeat_format.h"

#include <stdbool.h>
#include <stddef.h>

/* A rank is silent when its heartbeat has not moved for so many seconds; it has not come up when it
 * has none so many seconds after the start. */
enum { HEARTBEAT_SILENCE = 6, HEARTBEAT_START = 60 };

/* What a rank may be found to be: a process of this machine that is gone; alive and not heard of;
 * started and never heard of. */
enum heartbeat_loss { HEARTBEAT_NO_LOSS, HEARTBEAT_DEAD, HEARTBEAT_SILENT, HEARTBEAT_NOT_UP };

/*
 * `folder`: NULL = no heartbeats. `ranks`: how many there are; `here`: all of them on this machine.
 * `last`, `since`: the last beat of each and when it came. `started`: when somebody looked first.
 * `finished`: rank 0 has left the job in an orderly way; the launcher ends the others as it likes.
 */
struct heartbeats {
    const char *folder;
    int ranks;
    struct orrery_heartbeat *last;
    double *since, started;
    bool here, finished;
};

/* Empties the folder, makes it where it is missing. `ranks`: 0 counts as 1. `here`: all of them are
 * of this machine, so that a heartbeat which is not in the folder is nowhere. */
void heartbeats_start(struct heartbeats *heartbeats, const char *folder, long ranks, bool here);

/* Reads all heartbeats, at this time. */
void heartbeats_read(struct heartbeats *heartbeats, double now);

/* Looks at all heartbeats. The rank that is lost and what became of it; -1 for none. */
int heartbeats_look(struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss);

/* "rank 1 on node3 (loop mf.c:67, pass 4, block 3, 7)", for a message. */
void heartbeats_describe(const struct heartbeats *heartbeats, int rank, char *text, size_t size);

void heartbeats_end(struct heartbeats *heartbeats);

#endif
