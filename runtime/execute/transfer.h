/*
 * Batons between ranks: the parts of the rotating arrays, sent when a block has ended and received
 * before the next one that needs them, as the turns say (docs/runtime.md, "Batons between ranks").
 */
#ifndef ORRERY_RUNTIME_TRANSFER_H
#define ORRERY_RUNTIME_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

struct dsm_array;
struct orrery_transfer;
struct orrery_region;
struct orrery_touched;
struct orrery_turns;

/* For one region of a rank with rows, of so many laps. `touched`: what moves by rows, NULL: all
 * moves whole. arrays[a]: of the loop, NULL = not cut;
 * dims[a]: its dim, -1: its parts stay where they are. `slots`: pipelines, instead of arrays:
 * `bytes` of memory for each baton, which are wanted on its way back, too, or not; else NULL. */
struct orrery_slots {
    char *memory;
    size_t bytes;
    bool both_ways;
};

struct orrery_transfer *orrery_transfer_new(const struct orrery_turns *turns, long passes,
                                            int narrays, struct dsm_array *const *arrays,
                                            const int *dims, const struct orrery_slots *slots,
                                            const struct orrery_touched *touched);
void orrery_transfer_free(struct orrery_transfer *transfer);

/*
 * Blocks that run on a device. `leaves`: before a part is sent: where on the device the message
 * takes it from; NULL: it has been brought to its store. `comes`: before it is received: where on
 * the device the message puts it; NULL: into its store. `in`: it has come; `home`: for good, no
 * block of this region needs it on the device. `here`: behind that, for all others: which arrival
 * it was.
 */
struct orrery_transfer_device {
    char *(*leaves)(void *data, struct dsm_array *array, int part);
    char *(*comes)(void *data, struct dsm_array *array, int part);
    void (*in)(void *data, struct dsm_array *array, int part, bool home);
    void (*here)(void *data, long arrival);
    void *data;
};
void orrery_transfer_attach(struct orrery_transfer *transfer,
                            const struct orrery_transfer_device *device);

/* The visit before departure i is over on the device. */
void orrery_transfer_depart(struct orrery_transfer *transfer, long i);

/* Looks after what is under way; true when all is done. */
bool orrery_transfer_poll(struct orrery_transfer *transfer);

/* As many workers will call orrery_transfer_leave. */
void orrery_transfer_start(struct orrery_transfer *transfer, int workers);

/* The number of the message that brings the baton for this visit, -1: it is on this rank. */
long orrery_transfer_brings(const struct orrery_transfer *transfer, long pass, long baton,
                            long visit);

/* Returns when that message is here. */
void orrery_transfer_take(struct orrery_transfer *transfer, long message);

/* After the visit: the baton is sent on if another rank is next. */
void orrery_transfer_pass(struct orrery_transfer *transfer, long pass, long visit);

/* Once behind every block: looks after the next
 * of what is under way, unless another worker does. */
void orrery_transfer_look(struct orrery_transfer *transfer);

/* A worker's last act in a region: looks after the messages until all are done. Returns the seconds
 * that nothing else was left to do. */
double orrery_transfer_leave(struct orrery_transfer *transfer);

#endif
