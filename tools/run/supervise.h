/* Runs a command and everything it starts, to an end that always comes. */
#ifndef ORRERY_TOOLS_SUPERVISE_H
#define ORRERY_TOOLS_SUPERVISE_H

#include "tools/base/arglist.h"
#include "tools/run/errors.h"
#include "tools/run/heartbeat.h"
#include "tools/run/resize.h"
#include "tools/run/standby.h"

/* A command that runs in a process group of its own. */
struct supervision {
    const char *who;              /* whose messages begin so */
    const struct arg_list *words; /* the command line */
    long timeout;                 /* seconds, 0: none */
    const char *output;           /* file for its output and messages, NULL: ours */
    /* `saves`: the command ends by itself on a signal, with a checkpoint: it is handed on (as
     * SIGUSR1 to a `launcher`) and nothing is killed before a second one */
    bool saves, launcher;
    bool
        attempts; /* another attempt may follow: a signal in between ends that one before it begins */
    struct heartbeats *heartbeats; /* those of its ranks, NULL: nobody looks */
    struct errors *errors;         /* what it said, NULL: nobody listens */
    struct resize *resize;         /* how many ranks are wanted, NULL: nobody asks */
    struct standby *standby;       /* is looked after, too; NULL: there is none */
    pid_t running;                 /* the command, where it runs already; 0: it is started, */
    int stream;                    /* the read end of its error stream */
    double time;                   /* and when its heartbeats were read last */
    bool stopped;                  /* set: one of our signals ended it */
    bool lingered;                 /* set: its ranks were done, and it did not end */
    enum heartbeat_loss loss;      /* set: in which way a rank was lost */
    int lost;                      /* set: the rank that was found lost, -1 = none */
};

/*
 * SIGINT, SIGTERM, SIGUSR1 and SIGHUP are handed on, and SIGKILL follows 3 seconds later unless the
 * command saves. Descendants left behind are killed. Returns the exit status, 128 + signal, 124 for
 * the timeout, 127 with a message when it cannot start.
 */
int supervise_all(struct supervision *supervision);

/* In a new process: it ends with this one, its parent. */
void supervise_bind(pid_t parent);

/* Kills what a command has left behind that has ended. */
void supervise_orphans(void);

/* The same, with nobody looking. */
int supervise(const char *who, const struct arg_list *words, long timeout, const char *output);

#endif
