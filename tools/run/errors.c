#include "tools/run/errors.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void errors_start(struct errors *errors) {
    *errors = (struct errors){.rank = -1};
}

/* Open MPI 4: "mpirun noticed that process rank 1 with PID 7 on node n exited on signal 9". */
static void killed_look(struct errors *errors) {
    const char *at = strstr(errors->line, "process rank ");
    int rank = -1, signal = 0;
    char node[256];
    if (at && errors->rank < 0 &&
        sscanf(at, "process rank %d with PID %*d on node %255s exited on signal %d", &rank, node,
               &signal) == 3) {
        errors->rank = rank;
        errors->signal = signal;
        snprintf(errors->node, sizeof errors->node, "%s", node);
    }
}

/* "  Remote daemon: [[1,0],1] on node 10.77.0.2" */
static void lost_look(struct errors *errors) {
    const char *at = strstr(errors->line, "Remote daemon:"),
               *node = at ? strstr(at, "on node ") : NULL;
    if (node && !errors->host_lost && sscanf(node, "on node %255s", errors->node) == 1)
        errors->host_lost = true;
}

static void line_end(struct errors *errors) {
    errors->line[errors->length] = '\0';
    killed_look(errors);
    lost_look(errors);
    if (!errors->first[0] && strncmp(errors->line, "orrery: rank ", 13) == 0)
        snprintf(errors->first, sizeof errors->first, "%s", errors->line);
    errors->length = 0;
}

void errors_write(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t written = write(file, bytes, count);
        if (written < 0 && errno != EINTR)
            return;
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
}

void errors_take(struct errors *errors, const char *bytes, size_t count) {
    errors_write(STDERR_FILENO, bytes, count);
    for (size_t i = 0; errors && i < count; ++i)
        if (bytes[i] == '\n')
            line_end(errors);
        else if (errors->length < (int)sizeof errors->line - 1)
            errors->line[errors->length++] = bytes[i];
}

bool errors_read(struct errors *errors, int file) {
    char bytes[4096];
    ssize_t got = read(file, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    errors_take(errors, bytes, (size_t)got);
    return true;
}
