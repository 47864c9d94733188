/* What a job says on its error stream: handed on, and looked through for what went wrong first. */
#ifndef ORRERY_TOOLS_ERRORS_H
#define ORRERY_TOOLS_ERRORS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * `rank`, `signal`: of the process that the launcher said was killed, rank -1 = none. `node`: where
 * it was, or which host is lost (`host_lost`). `first`: the first message of a rank of ours.
 */
struct errors {
    char line[1024];
    int length;
    int rank, signal;
    bool host_lost;
    char node[256], first[1024];
};

void errors_start(struct errors *errors);

/* Hands these bytes on; NULL: and does not look at them. */
void errors_take(struct errors *errors, const char *bytes, size_t count);

/* As many of the bytes as the file takes. */
void errors_write(int file, const char *bytes, size_t count);

/* Hands on what can be read from `file` now. False at its end. */
bool errors_read(struct errors *errors, int file);

#endif
