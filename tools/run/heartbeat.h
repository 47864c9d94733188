/* What the ranks of a job say of themselves
 * (runtime/base/heartbeat_format.h), as `orrery run` reads it. */
#ifndef ORRERY_TOOLS_HEARTBEAT_H
#define ORRERY_TOOLS_HEARTBEAT_H

#include "tools/run/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A rank is silent when its heartbeat has not moved for so many seconds; it has not come up when it
 * has none so many seconds after the start. */
enum { HEARTBEAT_SILENCE = 5, HEARTBEAT_START = 60 };

/* While a process waits for a processor that others have, no time passes for it: up to so many
 * seconds. Who is stopped, or hangs, does not wait for one. */
enum { HEARTBEAT_STARVED = 600 };

/* A rank hangs when all its threads but the one that counts beats have run for less than so many
 * nanoseconds in HEARTBEAT_SILENCE seconds: who computes runs, and who waits for a message asks for
 * it. Rank 0 in the program's own code, or writing a checkpoint, may wait for anything. */
#define HEARTBEAT_WORK 200000UL

/* What a rank may be found to be: a process that is gone; alive and not heard of; alive and not
 * running; running and not advancing, while others wait for it; one of ranks that all wait;
 * started and never heard of; on a host that is cut off, or this machine is. */
enum heartbeat_loss {
    HEARTBEAT_NO_LOSS,
    HEARTBEAT_DEAD,
    HEARTBEAT_SILENT,
    HEARTBEAT_HANGS,
    HEARTBEAT_STUCK,
    HEARTBEAT_CIRCLE,
    HEARTBEAT_NOT_UP,
    HEARTBEAT_HOST,
    HEARTBEAT_CUT_OFF
};

/* A rank as it is watched. */
struct watched {
    struct orrery_heartbeat last; /* as it was read last */
    double since;                 /* when its beat came, 0 = none has */
    uint64_t work;                /* what it had run when it was last seen to run, */
    double worked;                /* and when that was, 0 = never */
    double stepped;               /* when it last advanced, */
    uint64_t step_work;           /* what it had run then, */
    uint64_t step_asked;          /* and how often it had asked for messages */
    double asked;                 /* when it last asked for one */
    double longest;               /* the most seconds it has computed between two steps */
    double said;                  /* it is named when it has computed so long */
    double delay;                 /* what it had waited for processors, -1: it is heard of, */
    double delayed;               /* when that was read, */
    double counted;               /* and what of its waits since has been put off */
    double starved;               /* seconds of that which passed for others only */
};

/* Those of a job. */
struct heartbeats {
    const char *folder;      /* NULL = no heartbeats */
    int ranks;               /* how many there are */
    struct watched *watched; /* of each rank */
    struct lines lines;      /* to ranks of other hosts */
    double limit;            /* seconds for a rank to come up */
    double patience;         /* seconds that others may wait for one that computes, 0 = any */
    double waited;           /* how long the one that is lost has kept others waiting */
    double over;             /* when rank 0 was gone in an orderly way, 0 = it is not */
    double started;          /* when somebody looked first */
    int stopped;             /* a rank that is stopped before it was heard of, -1 = none is, */
    double stopped_since;    /* and since when */
    pid_t launcher; /* process that started all ranks, 0: not known, and nobody is starved */
    bool here;      /* all of them are on this machine */
    bool unheard;   /* some run, and cannot say so */
    bool finished;  /* rank 0 has left the job in an orderly way: the launcher ends the
                              * others as it likes */
};

/* Empties the folder, makes it where it is missing, and says where by ORRERY_BOARD. `ranks`: 0
 * counts as 1. `here`: all of them are of this machine; else they are listened to, where
 * ORRERY_WATCH says. */
void heartbeats_start(struct heartbeats *heartbeats, const char *folder, long ranks, bool here);

/* Reads all heartbeats, at this time. */
void heartbeats_read(struct heartbeats *heartbeats, double now);

/* Looks at all heartbeats. The rank that is lost and what became of it; -1 for none. */
int heartbeats_look(struct heartbeats *heartbeats, double now, enum heartbeat_loss *loss);

/* Is every rank that was heard of there still? */
bool heartbeats_are_well(const struct heartbeats *heartbeats, double now);

/* Is the rank on this host of a host file? */
bool heartbeats_is_on(const struct heartbeats *heartbeats, int rank, const char *host);

/* So many ranks are to take part, from the next region on. */
void heartbeats_want(struct heartbeats *heartbeats, int ranks);

/* Who keeps others waiting, and goes on: true, and a text for the user. */
bool heartbeats_note(struct heartbeats *heartbeats, double now, char *text, size_t size);

/* "rank 1 on node3 (loop mf.c:67, pass 4, clock 2, block 3, 7)", for a message. */
void heartbeats_describe(const struct heartbeats *heartbeats, int rank, char *text, size_t size);

/* Did it come to an end of its own: the program's or, with a message, the runtime's? The status. */
bool heartbeats_ended(const struct heartbeats *heartbeats, int rank, int *status);

void heartbeats_end(struct heartbeats *heartbeats);

#endif
