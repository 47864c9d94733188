/*
 * Starting programs that orrery-cc built: directly (threads), or under an MPI launcher (ranks).
 */
#ifndef ORRERY_TOOLS_LAUNCH_H
#define ORRERY_TOOLS_LAUNCH_H

#include "tools/base/arglist.h"

#include <stdbool.h>

struct launch {
    /* `ranks`: 0 = no launcher. `threads`: per rank, 0 = the runtime's choice. `timeout`: seconds
     * until the job is killed, 0 = never. `patience`: seconds for ranks to come up, 0 = 60; and
     * for one that computes while others wait for it, 0 = any number. `restarts`: how often the job is started again (restart.h). */
    long ranks, threads, timeout, patience, restarts;
    long most;            /* processes to start, of which `ranks` take part; 0: those */
    const char *hostfile; /* of the launcher, NULL: none */
    const char *resize; /* file that says how many ranks are to take part (resize.h), NULL: none */
    bool standby;       /* another job waits at the loop over passes to take over (standby.h) */
    /* more ranks than cores are fine; checkpoints that are there are set aside; no progress line */
    bool oversubscribe, from_scratch, quiet;
    /* `output`: file for its output and messages, NULL = ours. `checkpoint`: folder, NULL without;
     * `every`: how often, NULL = after every pass; `memory`: what each rank may have, as it was
     * said; NULL: no limit of ours; `spill`: folder for what
     * does not fit, NULL: nothing is spilled. */
    const char *output, *checkpoint, *every, *memory, *spill;
    struct arg_list program; /* argv of the program, program.items[0] found by launch_find */
};

/*
 * The program's path (searched like a shell does), or NULL after a message: it does not exist, may
 * not be run, or was not built by orrery-cc.
 */
const char *launch_find(struct arena *arena, const char *command, const char *name);

/*
 * What stands against this launch: ranks or threads without a core each, a host file that cannot be
 * read, a size that is none. Returns 0, or 2 after a message.
 */
int launch_check(const char *command, const struct launch *launch);

/* Ranks that are started; those that take part, and others. */
long launch_processes(const struct launch *launch);

/* Cores this process may use. */
long launch_cores(void);

/*
 * Runs to the end. The program's exit status, 128 + signal, 124 when the timeout passed, 127 when
 * nothing could be started (said on stderr). Whatever it started is gone when this returns.
 */
int launch_run(struct arena *arena, const char *command, const struct launch *launch);

/* The command that starts the ranks, or the program itself, with the environment for it set. */
void launch_words(const struct launch *launch, struct arg_list *words);

/* May ranks run on other machines? */
bool launch_is_spread(const struct launch *launch);

/* Was the last command that launch_words made one for Hydra, MPICH's launcher? Where a rank is killed its status is the
 * signal's number. */
bool launch_by_hydra(void);

/* A job and its standby have files of their own: those of the other are meant from now on. */
void launch_switch(void);

/* The folder for heartbeats of its ranks. */
const char *launch_heartbeats(struct arena *arena, const struct launch *launch);

/* Removes a folder and all that is in it. */
void launch_remove(const char *folder);

/* Removes what the launcher left on this machine, once it has ended. */
void launch_clean(void);

/* Becomes the program (no launcher, no timeout). Returns only on failure. */
int launch_become(const char *command, const struct launch *launch);

#endif
