/* The parallel answer of a program against itself and against the serial text. */
#ifndef ORRERY_TOOLS_VERIFY_VERIFY_H
#define ORRERY_TOOLS_VERIFY_VERIFY_H

#include "tools/base/arglist.h"
#include "tools/verify/verify_compare.h"

#include <stdbool.h>

/* What is asked for, and what the runs have shown so far (from `folder` on, set by verify_run). */
struct verify_request {
    struct arena *arena;                   /* of the request */
    const char *threads_text, *ranks_text; /* the lists below as they were given, to be printed */
    const char *target;                    /* cpu, gpu; NULL: cpu */
    long *threads, *ranks;                 /* how many to try; of a GPU blocks, and ranks */
    int nthreads, nranks;                  /* of `threads`, of `ranks` */
    long runs;                             /* of each configuration */
    long timeout;                          /* seconds for one run */
    bool no_replay;                        /* leave the serial text out */
    bool as_written;                       /* the next run's unmarked loops are not parallel */
    bool quiet;                            /* what was not compared is said on stderr */
    struct arg_list program;               /* its command line, found by launch_find */
    const char *debug;                     /* the user's ORRERY_DEBUG, "" without */
    const char *folder;                    /* temporary; in it: */
    const char *reference;                 /* the record that all are held against */
    const char *record;                    /* the newest run's */
    const char *output;                    /* the newest run's standard output and messages */
    struct verify_tally tally;             /* parallel runs against each other */
    struct verify_tally replayed;          /* against the serial text */
    int nruns;                             /* so far */
};

/* The loops run on a device: blocks are tried in place of threads. */
bool verify_on_device(const struct verify_request *request);

/* Runs everything and prints what was the same. An exit status, 1 after a message. */
int verify_run(struct verify_request *request);

#endif
