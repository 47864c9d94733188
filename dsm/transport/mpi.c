/*
 * Ranks by MPI: the only file that includes mpi.h. Built as a module of its own, so that programs
 * without a launcher need no MPI. Two-sided messages only; nothing here blocks but start and
 * finish.
 */
#include "dsm/transport/transport.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#define STATUS_ERROR 71

extern const struct dsm_transport dsm_transport_mpi_2;

/* A message; an MPI count is an int, so long ones go in `pieces` requests. One is inside. */
struct mpi_message {
    int pieces, done, from;
    size_t bytes;
    bool incoming;
    MPI_Request *requests;
    MPI_Request only;
};

static MPI_Comm channels[DSM_CHANNELS];
static struct dsm_world *the_world;
static bool initialized_here;

static void fail_mpi(const char *what, int code) {
    char text[MPI_MAX_ERROR_STRING] = "?";
    int length;
    MPI_Error_string(code, text, &length);
    the_world->fail(STATUS_ERROR, "%s: %s", what, text);
}

static void check(const char *what, int code) {
    if (code != MPI_SUCCESS)
        fail_mpi(what, code);
}

static void *alloc(size_t bytes) {
    void *memory = malloc(bytes);
    if (!memory)
        the_world->fail(STATUS_ERROR, "out of memory: a message needs %zu bytes", bytes);
    return memory;
}

/* ---- life ---- */

static void threads_require(void) {
    int provided, running;
    MPI_Initialized(&running);
    initialized_here = !running;
    if (running)
        MPI_Query_thread(&provided);
    else
        check("MPI_Init_thread", MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided));
    if (provided < MPI_THREAD_MULTIPLE) {
        the_world->fail(STATUS_ERROR,
                        "this MPI library does not support threads (MPI_THREAD_MULTIPLE): use one "
                        "that was built with it");
    }
}

static void host_find(struct dsm_world *world) {
    MPI_Comm host;
    check("MPI_Comm_split_type", MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED,
                                                     world->rank, MPI_INFO_NULL, &host));
    MPI_Comm_rank(host, &world->host_rank);
    MPI_Comm_size(host, &world->host_ranks);
    int first = world->rank, *hosts = alloc((size_t)world->ranks * sizeof *hosts);
    check("MPI_Bcast", MPI_Bcast(&first, 1, MPI_INT, 0, host));
    check("MPI_Allgather", MPI_Allgather(&first, 1, MPI_INT, hosts, 1, MPI_INT, MPI_COMM_WORLD));
    world->hosts = hosts;
    MPI_Comm_free(&host);
}

static void tags_find(struct dsm_world *world) {
    int *most, found = 0;
    MPI_Comm_get_attr(channels[0], MPI_TAG_UB, &most, &found);
    world->max_tag = found ? *most : 32767;
}

/*
 * Does the library take pointers to a GPU's memory? It is asked when it runs: one that was built
 * for it may have been started without. Open MPI: "CUDA-aware support" in its documentation; MPICH:
 * man MPIX_GPU_query_support.
 */
#if defined(OMPI_HAVE_MPI_EXT_CUDA)
static bool takes_device_memory(void) {
    return MPIX_Query_cuda_support() != 0;
}
#elif defined(MPIX_GPU_SUPPORT_CUDA)
static bool takes_device_memory(void) {
    int takes = 0;
    return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &takes) == MPI_SUCCESS && takes;
}
#else
static bool takes_device_memory(void) {
    return false;
}
#endif

/* One that does not has to be sent what lies in host memory. */
static void direct_agree(struct dsm_world *world) {
    int mine = world->direct && takes_device_memory(), all = 0;
    check("MPI_Allreduce", MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    world->direct = all != 0;
}

static void mpi_start(struct dsm_world *world) {
    the_world = world;
    threads_require();
    MPI_Comm_rank(MPI_COMM_WORLD, &world->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world->ranks);
    if (world->expected_ranks > 1 && world->ranks == 1) {
        world->fail(STATUS_ERROR,
                    "the launcher started %d processes, but MPI sees each of them alone: the "
                    "launcher is not the one of the MPI library that Orrery was built with (%s)",
                    world->expected_ranks, "use its own mpirun, or srun with --mpi=pmix");
    }
    for (int channel = 0; channel < DSM_CHANNELS; ++channel) {
        check("MPI_Comm_dup", MPI_Comm_dup(MPI_COMM_WORLD, &channels[channel]));
        MPI_Comm_set_errhandler(channels[channel], MPI_ERRORS_RETURN);
    }
    tags_find(world);
    host_find(world);
    direct_agree(world);
}

static void mpi_finish(void) {
    for (int channel = 0; channel < DSM_CHANNELS; ++channel)
        MPI_Comm_free(&channels[channel]);
    if (initialized_here)
        MPI_Finalize();
}

static void mpi_end(int status) {
    MPI_Abort(MPI_COMM_WORLD, status);
}

/* ---- messages ---- */

static struct mpi_message *message_new(int from, size_t bytes, bool incoming) {
    struct mpi_message *message = alloc(sizeof *message);
    int pieces = bytes == 0 ? 1 : (int)((bytes + the_world->piece - 1) / the_world->piece);
    *message = (struct mpi_message){pieces, 0, from, bytes, incoming, NULL, MPI_REQUEST_NULL};
    message->requests =
        pieces == 1 ? &message->only : alloc((size_t)pieces * sizeof *message->requests);
    return message;
}

static int piece_bytes(const struct mpi_message *message, int piece) {
    size_t left = message->bytes - (size_t)piece * the_world->piece;
    return (int)(left < the_world->piece ? left : the_world->piece);
}

static void *mpi_send_start(enum dsm_channel channel, int rank, int tag, const void *data,
                            size_t bytes) {
    struct mpi_message *message = message_new(rank, bytes, false);
    for (int piece = 0; piece < message->pieces; ++piece) {
        const char *from = (const char *)data + (size_t)piece * the_world->piece;
        check("MPI_Isend", MPI_Isend(from, piece_bytes(message, piece), MPI_BYTE, rank, tag,
                                     channels[channel], &message->requests[piece]));
    }
    return message;
}

static void *mpi_receive_start(enum dsm_channel channel, int rank, int tag, void *data,
                               size_t bytes) {
    struct mpi_message *message = message_new(rank, bytes, true);
    for (int piece = 0; piece < message->pieces; ++piece) {
        char *to = (char *)data + (size_t)piece * the_world->piece;
        check("MPI_Irecv", MPI_Irecv(to, piece_bytes(message, piece), MPI_BYTE, rank, tag,
                                     channels[channel], &message->requests[piece]));
    }
    return message;
}

static void length_check(const struct mpi_message *message, const MPI_Status *status) {
    int count;
    MPI_Get_count(status, MPI_BYTE, &count);
    if (count != piece_bytes(message, message->done)) {
        the_world->fail(STATUS_ERROR,
                        "a message from rank %d has %d bytes where %d are expected (tag %d); %s",
                        message->from, count, piece_bytes(message, message->done), status->MPI_TAG,
                        DSM_SAME_PROGRAM);
    }
}

/* What MPI says of a message that is longer than its receiver's memory. */
static void ends_check(const struct mpi_message *message, int code) {
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (class == MPI_ERR_TRUNCATE) {
        the_world->fail(STATUS_ERROR,
                        "a message from rank %d has more than the %d bytes that are expected; %s",
                        message->from, piece_bytes(message, message->done), DSM_SAME_PROGRAM);
    }
    check(message->incoming ? "receiving" : "sending", code);
}

static bool mpi_test(void *request) {
    struct mpi_message *message = request;
    while (message->done < message->pieces) {
        int over = 0;
        MPI_Status status;
        ends_check(message, MPI_Test(&message->requests[message->done], &over, &status));
        if (!over)
            return false;
        if (message->incoming)
            length_check(message, &status);
        ++message->done;
    }
    if (message->requests != &message->only)
        free(message->requests);
    free(message);
    return true;
}

static int mpi_unasked(enum dsm_channel channel, int rank) {
    int there = 0;
    MPI_Status status;
    check("MPI_Iprobe", MPI_Iprobe(rank, MPI_ANY_TAG, channels[channel], &there, &status));
    return there ? status.MPI_TAG : -1;
}

const struct dsm_transport dsm_transport_mpi_2 = {
    .start = mpi_start,
    .finish = mpi_finish,
    .end = mpi_end,
    .send_start = mpi_send_start,
    .receive_start = mpi_receive_start,
    .test = mpi_test,
    .unasked = mpi_unasked,
};
