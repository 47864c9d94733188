/*
 * The links between ranks, measured when the program begins (ORRERY_LINKS=FILE): a cluster file for
 * `orrery simulate`, docs/simulate.md.
 */
#ifndef ORRERY_RUNTIME_LINKS_H
#define ORRERY_RUNTIME_LINKS_H

#include <stddef.h>

/*
 * What was measured of a short message and of one of `bytes`: seconds of its way, and that one end
 * of it adds to work meanwhile; seconds of a stream of `streamed` bytes, above zero.
 */
struct orrery_ways {
    double way[2], end[2], stream;
    size_t bytes, streamed;
};

/* Seconds of a message's way, bytes per second; of the processor per message and byte at one end,
 * and for a look at a message that is not here yet. */
struct orrery_link {
    double latency, bandwidth, overhead, per_byte, test;
};

/* A message's way has both of its ends in it: more than that is what else the machine does. A
 * stream waits for two ways, which are half of its time at most. */
struct orrery_link orrery_link_of(const struct orrery_ways *ways);

/*
 * Collective, before main. Rank 0 and one other rank of its host, and one of another host, where
 * there are such, send each other messages for some tenths of a second. Nothing when it is not
 * wanted; ends the job where there is one rank only, or the file cannot be written.
 */
void orrery_links_measure(void);

#endif
