/*
 * A rank's heartbeat: where it is, for who watches the job (`orrery run`). A file of this structure
 * in the folder ORRERY_BOARD names, `rank-N`, written by its rank alone; and frames on a connection
 * to the launcher, which ORRERY_WATCH names (docs/checkpoints.md, "Supervision").
 */
#ifndef ORRERY_RUNTIME_HEARTBEAT_FORMAT_H
#define ORRERY_RUNTIME_HEARTBEAT_FORMAT_H

#include <stdint.h>

enum { ORRERY_HEARTBEAT_MAGIC = 0x42454154, ORRERY_HEARTBEAT_TOKEN = 32 };

enum orrery_phase {
    ORRERY_PHASE_SERIAL, /* the program's own code; loading */
    ORRERY_PHASE_INSPECTION,
    ORRERY_PHASE_PASS,
    ORRERY_PHASE_MERGE,
    ORRERY_PHASE_CHECKPOINT,
    ORRERY_PHASE_SERVING, /* ranks above 0 between regions */
    ORRERY_PHASE_END,
    ORRERY_PHASE_OVER,   /* it has left the job; what ends it now is its own business */
    ORRERY_PHASE_START,  /* it connects to the others */
    ORRERY_PHASE_STANDBY /* it waits for its turn, in front of the loop over passes */
};

/* How a rank has come to its end, if it has: main returned or somebody called exit; or the runtime
 * ended the job with a message. */
enum orrery_ended { ORRERY_ENDED_NOT, ORRERY_ENDED_EXIT, ORRERY_ENDED_ERROR };

/* At the end of the job; is DSM_ALL. */
enum { ORRERY_WAITS_FOR_ALL = -2 };

/* A rank's heartbeat file. */
struct orrery_heartbeat {
    uint32_t magic, rank; /* ORRERY_HEARTBEAT_MAGIC; whose it is */
    uint32_t pid, phase;  /* its process; enum orrery_phase, what it does */
    uint64_t beat;        /* counts while the process is alive, several times a second */
    uint64_t work;        /* nanoseconds of all threads but the one that counts beats: ranks that
                           * wait for a message ask for it, so one that does not run hangs */
    uint64_t steps;       /* messages and blocks that are over: it advances */
    uint64_t asked;       /* how often it has asked for a message that was not there: it waits */
    int32_t waits_for;    /* the rank of that message, or ORRERY_WAITS_FOR_ALL */
    int32_t running;      /* blocks that its threads compute */
    int32_t traced;       /* a debugger has it */
    int32_t ended;        /* enum orrery_ended */
    int32_t status;       /* with which it ended */
    int32_t wanted; /* of rank 0, written by the launcher: ranks that are to have rows, 0: all */
    int64_t pass;   /* of the loop over passes, rank 0 only, 0 = none yet */
    int64_t row, column; /* of the last block, -1 = none yet */
    int64_t clock;       /* of that block, -1 = none yet */
    char host[64];       /* where it runs */
    char where[128];     /* "mf.c:67", of the loop in the last region; both end with 0 */
};

/* The first words on a connection, from the rank; the launcher answers them, and each frame, with a
 * byte: how many ranks are to have rows, 0: all, or as before. `token`: the one of ORRERY_WATCH, which is "TOKEN@ADDRESS:PORT,ADDRESS:PORT". */
struct orrery_heartbeat_hello {
    uint32_t magic, rank;
    char token[ORRERY_HEARTBEAT_TOKEN];
};

/* Milliseconds after which the kernel gives up a connection whose other end acknowledges nothing,
 * at both ends. */
enum { ORRERY_HEARTBEAT_PATIENCE = 4000 };

#endif
