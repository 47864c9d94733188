/* Messages over the transport: requests, patient waiting, broadcast. */
#include "dsm/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

/* Up to here a broadcast goes down a tree; beyond, through a chain in chunks. */
#define TREE_BYTES 32768UL
#define CHUNK_BYTES (1UL << 20)
#define CHUNKS_UNDER_WAY 8

#define TAG_BROADCAST 1

#define MESSAGE_NAP 200000L

/* Who has waited this many nanoseconds does not mind a longer nap. */
#define LONG_WAIT 1000000000L
#define LONG_WAIT_FACTOR 5

int64_t dsm_clock(void) {
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
    if (round == 32) {
        patience->begin = now;
    }
    int64_t waited = now - patience->begin;
    if (waited < 100000) {
        sched_yield();
        return;
    }
    int64_t length = waited / 8, most = patience->longest_nap;
    if (waited > LONG_WAIT) {
        most *= LONG_WAIT_FACTOR;
    }
    nap(length < most ? length : most);
}

static struct dsm_request *request_new(void *handle) {
    struct dsm_request *request = dsm_own_alloc(sizeof *request);
    *request = (struct dsm_request){.handle = handle};
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
    atomic_fetch_add_explicit(&dsm_figures.messages, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&dsm_figures.bytes_sent, bytes, memory_order_relaxed);
    return request_new(dsm_transport->send_start(channel, rank, tag, data, bytes));
}

struct dsm_request *dsm_message_receive(enum dsm_channel channel, int rank, int tag, void *data,
                                        size_t bytes) {
    arguments_check("receive", rank, tag);
    atomic_fetch_add_explicit(&dsm_figures.bytes_received, bytes, memory_order_relaxed);
    return request_new(dsm_transport->receive_start(channel, rank, tag, data, bytes));
}

bool dsm_test(struct dsm_request *request) {
    if (request->handle && !dsm_transport->test(request->handle)) {
        return false;
    }
    request->handle = NULL;
    if (request->done) {
        request->done(request);
    }
    dsm_own_free(request);
    return true;
}

static void wait_with(struct dsm_request *request, void (*meanwhile)(void)) {
    struct dsm_patience patience = {.longest_nap = MESSAGE_NAP};
    if (dsm_test(request)) {
        return;
    }
    int64_t begin = dsm_clock();
    do {
        if (meanwhile) {
            meanwhile();
        }
        dsm_patience_pause(&patience);
    } while (!dsm_test(request));
    atomic_fetch_add_explicit(&dsm_figures.wait_nanoseconds, (uint64_t)(dsm_clock() - begin),
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

/* Binomial tree: rank r receives from r without its lowest bit, sends to r + every bit below it. */
static void broadcast_tree(char *data, size_t bytes) {
    int rank = dsm_world.rank, ranks = dsm_world.ranks, bit = 1;
    while (bit < ranks && !(rank & bit)) {
        bit <<= 1;
    }
    if (rank > 0) {
        dsm_wait(dsm_message_receive(DSM_BULK, rank - bit, TAG_BROADCAST, data, bytes));
    }
    struct dsm_request *sends[32];
    int nsends = 0;
    for (bit >>= 1; bit > 0; bit >>= 1) {
        if (rank + bit < ranks) {
            sends[nsends++] = dsm_message_send(DSM_BULK, rank + bit, TAG_BROADCAST, data, bytes);
        }
    }
    for (int i = 0; i < nsends; ++i) {
        dsm_wait(sends[i]);
    }
}

static size_t chunk_size(size_t bytes, size_t at) {
    return bytes - at < CHUNK_BYTES ? bytes - at : CHUNK_BYTES;
}

/* Every rank passes each chunk on while the next one comes in. */
static void broadcast_chain(char *data, size_t bytes) {
    int before = dsm_world.rank - 1, after = dsm_world.rank + 1;
    struct dsm_request *sends[CHUNKS_UNDER_WAY] = {NULL}, *coming = NULL;
    if (before >= 0) {
        coming = dsm_message_receive(DSM_BULK, before, TAG_BROADCAST, data, chunk_size(bytes, 0));
    }
    for (size_t at = 0, i = 0; at < bytes; at += CHUNK_BYTES, ++i) {
        if (before >= 0) {
            struct dsm_request *here = coming;
            size_t next = at + CHUNK_BYTES;
            coming = next < bytes ? dsm_message_receive(DSM_BULK, before, TAG_BROADCAST,
                                                        data + next, chunk_size(bytes, next))
                                  : NULL;
            dsm_wait(here);
        }
        if (after < dsm_world.ranks) {
            if (sends[i % CHUNKS_UNDER_WAY]) {
                dsm_wait(sends[i % CHUNKS_UNDER_WAY]);
            }
            sends[i % CHUNKS_UNDER_WAY] =
                dsm_message_send(DSM_BULK, after, TAG_BROADCAST, data + at, chunk_size(bytes, at));
        }
    }
    for (int i = 0; i < CHUNKS_UNDER_WAY; ++i) {
        if (sends[i]) {
            dsm_wait(sends[i]);
        }
    }
}

void dsm_broadcast(void *data, size_t bytes) {
    if (dsm_world.ranks == 1 || bytes == 0) {
        return;
    }
    if (bytes <= TREE_BYTES) {
        broadcast_tree(data, bytes);
    } else {
        broadcast_chain(data, bytes);
    }
}
