/* The same work on many items, each in a process of its own,
 * as many at a time as there are cores. */
#ifndef ORRERY_CLI_ANALYZE_BATCH_H
#define ORRERY_CLI_ANALYZE_BATCH_H

#include <stdio.h>

/*
 * `work`: called in a child process; standard output and error are files of its own. Returns its
 * status, 0 to 120. `finish`: called in this process in the order of the items; `status` is
 * work's, or 128 + the signal that ended it; `output`, `errors`: what it wrote, to be read.
 */
struct batch {
    int count;
    long workers;
    int (*work)(void *data, int item);
    void (*finish)(void *data, int item, int status, FILE *output, FILE *errors);
    void *data;
};

/* Returns 0, or -1 after a message when processes or files cannot be had. */
int batch_run(const struct batch *batch);

/* Copies all that can be read from `from`. */
void batch_copy(FILE *from, FILE *to);

#endif
