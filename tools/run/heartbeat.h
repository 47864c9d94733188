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

/* A rank hangs when all its threads but the one that counts beats have run for less than so many
 * nanoseconds in HEARTBEAT_SILENCE seconds: who computes runs, and who waits for a message asks for
 * it. Rank 0 in the program's own code, or writing a checkpoint, may wait for anything. */
#define HEARTBEAT_WORK 200000UL

/* What a rank may be found to be: a process of this machine that is gone; alive and not heard of;
 * alive and not running; started and never heard of. */
enum heartbeat_loss {
    HEARTBEAT_NO_LOSS,
    HEARTBEAT_DEAD,
    HEARTBEAT_SILENT,
    HEARTBEAT_HANGS,
    HEARTBEAT_NOT_UP
};

/* Those of a job. */
struct heartbeats {
    const char *folder;            /* NULL = no heartbeats */
    int ranks;                     /* how many there are */
    struct orrery_heartbeat *last; /* of each rank, as it was read last */
    double *since;                 /* when the beat of each came, 0 = none has */
    uint64_t *work;                /* what each had run when it was last seen to run, */
    double *worked;                /* and when that was */
    double started;                /* when somebody looked first */
    bool here;                     /* all of them are on this machine */
    bool finished;                 /* rank 0 has left the job in an orderly way: the launcher ends
                                   * the others as it likes */
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

/* Did it come to an end of its own: the program's or, with a message, the runtime's? The status. */
bool heartbeats_ended(const struct heartbeats *heartbeats, int rank, int *status);

void heartbeats_end(struct heartbeats *heartbeats);

#endif
