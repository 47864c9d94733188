/* Who the ranks are: what a transport fills in when it starts, and what everybody reads. */
#ifndef ORRERY_DSM_BASE_WORLD_H
#define ORRERY_DSM_BASE_WORLD_H

#include <stdbool.h>
#include <stddef.h>

/* Filled in by the transport's start(), but for the last three before `direct`. */
struct dsm_world {
    int rank, ranks;           /* this rank, of how many */
    int host_rank, host_ranks; /* the same among those of this host */
    int max_tag;               /* the highest tag of a message */
    const int *hosts;          /* per rank, the first rank of its host; NULL with one rank */
    int expected_ranks;        /* before: what the launcher's environment says, 0 = unknown */
    size_t piece;              /* before: bytes of a message that may go as one */
    void (*fail)(int status, const char *format, ...); /* before: dsm_fail */
    /* Before: may messages of this rank have memory of a GPU? Behind start(): do all ranks let
     * them, and does the library take it? */
    bool direct;
};

#endif
