/* Messages over the transport: requests, patient waiting, broadcast. */
#include "dsm/transport/messages.h"

#include "dsm/transport/tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

/* Up to here a broadcast is one message by doubling; beyond, some chunks along a chain. */
#define SHORT_BYTES 32768UL
#define CHUNKS 32
#define LEAST_CHUNK (1UL << 16)
#define MOST_CHUNK (1UL << 20)
#define CHUNKS_UNDER_WAY 8

#define TAG_BROADCAST 1

#define MESSAGE_NAP 200000L

/* Who has waited this many nanoseconds does not mind a longer nap. */
#define LONG_WAIT 1000000000L
#define LONG_WAIT_FACTOR 5

const struct dsm_transport *dsm_transport = &dsm_transport_self;

/* nanoseconds, monotonic */
static int64_t dsm_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void nap(long nanoseconds) {
    static _Thread_local bool precise;
    if (!precise) {
        precise = true;
        prctl(PR_SET_TIMERSLACK, 1000UL);
    }
    struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
}

static inline void relax(void) {
    __builtin_ia32_pause();
}

void dsm_patience_pause(struct dsm_patience *patience) {
    unsigned round = patience->rounds++;
    if (round < 32) {
        relax();
        return;
    }
    int64_t now = dsm_clock();
    if (round == 32)
        patience->begin = now;
    int64_t waited = now - patience->begin;
    if (waited < 100000) {
        sched_yield();
        return;
    }
    int64_t length = waited / 8, most = patience->longest_nap;
    if (waited > LONG_WAIT)
        most *= LONG_WAIT_FACTOR;
    nap(length < most ? length : most);
}

static struct {
    size_t (*take)(const void *memory, size_t bytes, size_t most);
    void (*let)(const void *memory, size_t held);
} hold;

void dsm_message_held_by(size_t (*take)(const void *memory, size_t bytes, size_t most),
                         void (*let)(const void *memory, size_t held)) {
    hold.take = take;
    hold.let = let;
}

static struct dsm_request *request_new(int peer, const void *data, size_t bytes) {
    struct dsm_request *request = dsm_own_alloc(sizeof *request);
    *request = (struct dsm_request){.peer = peer, .held = data};
    request->held_bytes = hold.take ? hold.take(data, bytes, SIZE_MAX) : 0;
    return request;
}

void dsm_malformed(int from, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dsm_fail(DSM_STATUS_ERROR, "a message from rank %d is not what is expected: %s; %s", from, text,
             DSM_SAME_PROGRAM);
}

static void arguments_check(const char *what, int rank, int tag) {
    if (rank < 0 || rank >= dsm_world.ranks) {
        dsm_fail(DSM_STATUS_ERROR, "%s: there is no rank %d, only 0 to %d", what, rank,
                 dsm_world.ranks - 1);
    }
    if (tag < 0 || tag > dsm_world.max_tag) {
        dsm_fail(DSM_STATUS_ERROR, "%s: tag %d is not between 0 and %d", what, tag,
                 dsm_world.max_tag);
    }
}

struct dsm_request *dsm_message_send(enum dsm_channel channel, int rank, int tag, const void *data,
                                     size_t bytes) {
    arguments_check("send", rank, tag);
    atomic_fetch_add_explicit(&dsm_job.figures.messages, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&dsm_job.figures.bytes_sent, bytes, memory_order_relaxed);
    if (dsm_world.hosts && dsm_world.hosts[rank] != dsm_world.hosts[dsm_world.rank])
        atomic_fetch_add_explicit(&dsm_job.figures.bytes_far, bytes, memory_order_relaxed);
    struct dsm_request *request = request_new(rank, data, bytes);
    request->handle = dsm_transport->send_start(channel, rank, tag, data, bytes);
    return request;
}

struct dsm_request *dsm_message_receive(enum dsm_channel channel, int rank, int tag, void *data,
                                        size_t bytes) {
    arguments_check("receive", rank, tag);
    atomic_fetch_add_explicit(&dsm_job.figures.bytes_received, bytes, memory_order_relaxed);
    struct dsm_request *request = request_new(rank, data, bytes);
    request->handle = dsm_transport->receive_start(channel, rank, tag, data, bytes);
    return request;
}

/* Counted by whoever asks: one that is lost between two threads does not matter. */
static void count(atomic_uint_fast64_t *counter) {
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

bool dsm_test(struct dsm_request *request) {
    if (request->handle && !dsm_transport->test(request->handle)) {
        atomic_store_explicit(&dsm_job.doing.peer, request->peer, memory_order_relaxed);
        count(&dsm_job.doing.asked);
        return false;
    }
    count(&dsm_job.doing.steps);
    request->handle = NULL;
    if (request->held_bytes)
        hold.let(request->held, request->held_bytes);
    if (request->done)
        request->done(request);
    dsm_own_free(request);
    return true;
}

static void wait_with(struct dsm_request *request, void (*meanwhile)(void)) {
    struct dsm_patience patience = {.longest_nap = MESSAGE_NAP};
    if (dsm_test(request))
        return;
    int64_t begin = dsm_clock();
    do {
        if (meanwhile)
            meanwhile();
        dsm_patience_pause(&patience);
    } while (!dsm_test(request));
    atomic_fetch_add_explicit(&dsm_job.figures.wait_nanoseconds, (uint64_t)(dsm_clock() - begin),
                              memory_order_relaxed);
}

void dsm_wait(struct dsm_request *request) {
    wait_with(request, dsm_command_serves_here() ? dsm_command_poll : NULL);
}

struct dsm_request *dsm_send_start(int rank, int tag, const void *data, size_t bytes) {
    return dsm_message_send(DSM_USERS, rank, tag, data, bytes);
}

struct dsm_request *dsm_receive_start(int rank, int tag, void *data, size_t bytes) {
    return dsm_message_receive(DSM_USERS, rank, tag, data, bytes);
}

void dsm_send(int rank, int tag, const void *data, size_t bytes) {
    dsm_wait(dsm_send_start(rank, tag, data, bytes));
}

void dsm_receive(int rank, int tag, void *data, size_t bytes) {
    dsm_wait(dsm_receive_start(rank, tag, data, bytes));
}

/* Set by dsm_broadcast_start. */
static struct {
    struct dsm_tree chain, doubling; /* of long broadcasts and of short ones */
    struct dsm_tree keepers;         /* of those to one rank per host */
} broadcasts;

static struct dsm_request *chunk_receive(const struct dsm_tree *tree, char *data, size_t bytes,
                                         size_t at, size_t chunk) {
    size_t here = bytes - at < chunk ? bytes - at : chunk;
    return at < bytes && tree->before >= 0
               ? dsm_message_receive(DSM_BULK, tree->before, TAG_BROADCAST, data + at, here)
               : NULL;
}

static void waits(struct dsm_request **requests, int count) {
    for (int i = 0; i < count; ++i) {
        if (requests[i])
            dsm_wait(requests[i]);
        requests[i] = NULL;
    }
}

/* Every rank passes each chunk on while the next one comes in. */
static void broadcast_along(const struct dsm_tree *tree, char *data, size_t bytes, size_t chunk) {
    struct dsm_request *sends[CHUNKS_UNDER_WAY][DSM_TREE_MOST] = {{NULL}};
    struct dsm_request *coming = chunk_receive(tree, data, bytes, 0, chunk);
    for (size_t at = 0, i = 0; at < bytes; at += chunk, ++i) {
        struct dsm_request *here = coming, **going = sends[i % CHUNKS_UNDER_WAY];
        size_t length = bytes - at < chunk ? bytes - at : chunk;
        coming = chunk_receive(tree, data, bytes, at + chunk, chunk);
        waits(&here, 1);
        waits(going, tree->count);
        for (int c = 0; c < tree->count; ++c)
            going[c] = dsm_message_send(DSM_BULK, tree->after[c], TAG_BROADCAST, data + at, length);
    }
    for (int i = 0; i < CHUNKS_UNDER_WAY; ++i)
        waits(sends[i], tree->count);
}

static size_t chunk_of(size_t bytes) {
    size_t chunk = bytes / CHUNKS;
    chunk = chunk < LEAST_CHUNK ? LEAST_CHUNK : chunk;
    return dsm_chunk(chunk < MOST_CHUNK ? chunk : MOST_CHUNK);
}

/* Hosts that there are not: each rank is on that of one before it, or on a new one. */
static void hosts_invent(int *hosts, unsigned seed) {
    hosts[0] = 0;
    for (int rank = 1; rank < dsm_world.ranks; ++rank) {
        seed = seed * 1664525u + 1013904223u;
        int at = (int)((seed >> 8) % (unsigned)(rank + 1));
        hosts[rank] = at == rank ? rank : hosts[at];
    }
}

int dsm_keeper_of(int rank) {
    int host = dsm_world.hosts[rank];
    for (int other = 1; host == 0 && other < dsm_world.ranks; ++other)
        if (dsm_world.hosts[other] == 0)
            return other;
    return host == 0 ? -1 : host;
}

/* The first rank of the host behind that of `rank`, or before it; -1. */
static int beside(int rank, int step) {
    const int *hosts = dsm_world.hosts;
    for (int at = rank + step; at >= 0 && at < dsm_world.ranks; at += step)
        if (hosts[at] == at)
            return at;
    return -1;
}

/* Rank 0, then host after host; rank 0 tells the keeper of its own host, too. */
static void keepers_make(void) {
    int rank = dsm_world.rank, own = dsm_keeper_of(0), next = -1;
    broadcasts.keepers = (struct dsm_tree){.before = rank == own ? 0 : -1};
    if (rank != 0 && dsm_world.hosts[rank] != rank)
        return;
    if (rank != 0)
        broadcasts.keepers.before = beside(rank, -1);
    next = beside(rank, 1);
    if (next >= 0)
        broadcasts.keepers.after[broadcasts.keepers.count++] = next;
    if (rank == 0 && own >= 0)
        broadcasts.keepers.after[broadcasts.keepers.count++] = own;
}

void dsm_broadcast_start(void) {
    int invented[dsm_world.ranks];
    const int *hosts = dsm_world.hosts;
    if (dsm_job.torture) {
        hosts_invent(invented, dsm_job.torture);
        hosts = invented;
    }
    dsm_tree_chain(hosts, dsm_world.ranks, dsm_world.rank, &broadcasts.chain);
    dsm_tree_doubling(hosts, dsm_world.ranks, dsm_world.rank, &broadcasts.doubling);
    if (dsm_world.hosts)
        keepers_make();
}

void dsm_broadcast_keepers(void *data, size_t bytes) {
    broadcast_along(&broadcasts.keepers, data, bytes, chunk_of(bytes));
}

void dsm_broadcast(void *data, size_t bytes) {
    if (dsm_world.ranks == 1 || bytes == 0)
        return;
    if (bytes <= SHORT_BYTES)
        broadcast_along(&broadcasts.doubling, data, bytes, bytes);
    else
        broadcast_along(&broadcasts.chain, data, bytes, chunk_of(bytes));
}
