/*
 * Batons between ranks: the parts of the rotating arrays, sent when a block has ended and received
 * before the next one that needs them, as the turns say (docs/runtime.md, "Batons between ranks").
 */
#ifndef ORRERY_RUNTIME_CARRIER_H
#define ORRERY_RUNTIME_CARRIER_H

#include <stdbool.h>
#include <stddef.h>

struct dsm_array;
struct orrery_carrier;
struct orrery_region;
struct orrery_turns;

/* For one region of a rank with rows, of so many passes. arrays[a]: of the loop, NULL = not cut;
 * dims[a]: its dim, -1: its parts stay where they are. `slots`: pipelines, instead of arrays:
 * `bytes` of memory for each baton; else NULL. */
struct orrery_slots {
    char *memory;
    size_t bytes;
};

struct orrery_carrier *orrery_carrier_new(const struct orrery_turns *turns, long passes,
                                          int narrays, struct dsm_array *const *arrays,
                                          const int *dims, const struct orrery_slots *slots);
void orrery_carrier_free(struct orrery_carrier *carrier);

/* As many workers will call orrery_carrier_leave. */
void orrery_carrier_start(struct orrery_carrier *carrier, int workers);

/* The number of the message that brings the baton for this visit, -1: it is on this rank. */
long orrery_carrier_brings(const struct orrery_carrier *carrier, long pass, long baton, long visit);

/* Returns when that message is here. */
void orrery_carrier_take(struct orrery_carrier *carrier, long message);

/* After the visit: the baton is sent on if another rank is next; what else is under way is looked
 * after. */
void orrery_carrier_pass(struct orrery_carrier *carrier, long pass, long visit);

/* A worker's last act in a region: looks after the messages until all are done. Returns the seconds
 * that nothing else was left to do. */
double orrery_carrier_leave(struct orrery_carrier *carrier);

#endif
