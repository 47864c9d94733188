/*
 * What a transport is: ranks and messages. self.c is linked in, mpi.c is a
 * module (liborrery-mpi.so) that exports `dsm_transport_mpi_2`. A module calls nothing of the dsm
 * but world->fail.
 */
#ifndef ORRERY_DSM_TRANSPORT_H
#define ORRERY_DSM_TRANSPORT_H

#include "dsm/base/world.h"

/* Tags match within a channel only. */
enum dsm_channel { DSM_USERS, DSM_PARTS, DSM_COMMANDS, DSM_BULK, DSM_CHANNELS };

/*
 * send_start, receive_start: never block; the memory stays untouched by the caller until test()
 * says true, which also frees the request. A message is as long as its receiver expects, else the
 * job ends (ORR9234). unasked: the tag of a message that has come from there and that no receive is
 * for, -1: there is none. Messages of one sender, channel and tag keep their order. All but start
 * and finish: any thread. end: ends all ranks, does not return.
 */
struct dsm_transport {
    void (*start)(struct dsm_world *world);
    void (*finish)(void);
    void (*end)(int status);
    void *(*send_start)(enum dsm_channel channel, int rank, int tag, const void *data,
                        size_t bytes);
    void *(*receive_start)(enum dsm_channel channel, int rank, int tag, void *data, size_t bytes);
    bool (*test)(void *request);
    int (*unasked)(enum dsm_channel channel, int rank);
};

/* The way out of a message that is not what is expected. */
#define DSM_SAME_PROGRAM                                                                           \
    "all ranks have to run the same program, built by the same Orrery: compare the files on "      \
    "their "                                                                                       \
    "hosts [ORR9234]"

/* Its number goes up with whatever a module and its caller have to agree about. */
#define DSM_TRANSPORT_MPI_SYMBOL "dsm_transport_mpi_2"
#define DSM_TRANSPORT_MPI_MODULE "liborrery-mpi.so"
/* The same for MPICH, where both were there when Orrery was built. */
#define DSM_TRANSPORT_MPICH_MODULE "liborrery-mpich.so"

extern const struct dsm_transport dsm_transport_self;

/* Wraps a transport so that starts and completions are delayed at random (tests only). */
const struct dsm_transport *dsm_transport_delayed(const struct dsm_transport *transport,
                                                  unsigned seed);

#endif
