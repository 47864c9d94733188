/* Connections on which ranks of other hosts send their heartbeats
 * (runtime/base/heartbeat_format.h, runtime/base/heartbeat_line.h). */
#ifndef ORRERY_TOOLS_LINES_H
#define ORRERY_TOOLS_LINES_H

#include "runtime/base/heartbeat_format.h"

#include <stdbool.h>
#include <stddef.h>

/* What the kernel says of a rank's connection: there has been none; it stands; the rank's process
 * has closed it, mostly by its end; nothing goes through to that host any more. */
enum line_state { LINE_NONE, LINE_OPEN, LINE_CLOSED, LINE_CUT };

/* A connection. `rank`: -1 = it has not said hello. `got`: bytes in `frame`. `pending`: answers. */
struct line {
    int file, rank, got, pending;
    double since;
    enum line_state state;
    char address[64]; /* the other end's, without a port */
    union {
        struct orrery_heartbeat_hello hello;
        struct orrery_heartbeat heartbeat;
        char bytes[sizeof(struct orrery_heartbeat)];
    } frame;
};

/* Those of a job. `listener`: -1 = nobody can connect. */
struct lines {
    int listener, ranks;
    int wanted; /* ranks that are to take part, the byte of each answer; 0: all */
    char token[ORRERY_HEARTBEAT_TOKEN + 1];
    struct line *items;
    int count, capacity;
};

/* Listens on all addresses of this machine. `where`: value of ORRERY_WATCH. False, with errno:
 * that cannot be. */
bool lines_start(struct lines *lines, int ranks, char *where, size_t size);

/* Takes what has come, and calls `heard` for each heartbeat. Never blocks. */
void lines_read(struct lines *lines, double now,
                void (*heard)(void *data, const struct orrery_heartbeat *heartbeat), void *data);

/* The rank's latest connection; NULL: there has been none. */
const struct line *lines_of(const struct lines *lines, int rank);

/* Is it this machine that is cut off? Nothing has come from any other address for a while, of which
 * there are at least two. */
bool lines_all_cut(const struct lines *lines);

void lines_end(struct lines *lines);

#endif
