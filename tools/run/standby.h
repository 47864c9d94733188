/*
 * A second job of the same program, which has run what comes before the loop over passes, and waits
 * there (runtime/checkpoint/standby.h): when the first is lost it goes on from the checkpoint.
 */
#ifndef ORRERY_TOOLS_STANDBY_H
#define ORRERY_TOOLS_STANDBY_H

#include "tools/run/errors.h"
#include "tools/run/heartbeat.h"
#include "tools/run/launch.h"
#include "tools/run/relay.h"

/* All 0 but the first two: there is none. */
struct standby {
    struct arena *arena;          /* of the words that start it; set by who wants one, too */
    const struct launch *launch;  /* what is started, NULL = nobody wants a standby */
    pid_t child;                  /* its launcher, 0 = it is not there */
    long pass;                    /* of the job, when it was looked at first */
    bool ended;                   /* it ended by itself: no other is begun */
    int errors;                   /* read end of its error stream */
    char *said;                   /* what came of it so far, */
    size_t bytes;                 /* so many bytes */
    double time;                  /* when its heartbeats were read last */
    struct heartbeats heartbeats; /* those of its ranks */
    struct relay *relay;          /* its output */
};

/* Looks how it is. Begins it when the job has made a pass; `pass`: of the job, 0 = none yet. */
void standby_look(struct standby *standby, long pass);

/* A process has ended, with this status of waitpid. True: it was this one. */
bool standby_reaped(struct standby *standby, pid_t process, int status);

/* Can it take over, now? */
bool standby_is_well(struct standby *standby);

/* It is its turn, with so many ranks: it says what it has said, its output is ours from now on. All
 * that is in the structure is the caller's. */
void standby_go(struct standby *standby, int ranks, struct errors *errors);

/* It is not needed any more. requires: the job has ended */
void standby_end(struct standby *standby);

#endif
