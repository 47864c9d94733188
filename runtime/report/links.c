#define _GNU_SOURCE
#include "runtime/report/links.h"

#include "dsm/dsm.h"
#include "runtime/base/clock.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"
#include "runtime/threads/workers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes of a message that is hardly more than its head, of one as batons are, and of a stream. */
enum { SMALL = 8, LARGE = 32 << 10, STREAM = 1 << 20, STREAMS = 4 };
enum { WARM = 20, ROUNDS = 101, PIECES = 16, TESTS = 16, HOST = 256 };

/* The rank that rank 0 talks to, or -1. */
struct peers {
    int within, between;
};

/* What goes and what comes. */
static char *memory[2];

static int by_value(const void *a, const void *b) {
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* A quarter of the values are less: what disturbs makes longer, never shorter. */
static double quartile(double *values) {
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 4];
}

/* ---- one way and back ---- */

static void there_and_back(int peer, size_t bytes) {
    int order = dsm_rank() == 0;
    for (int turn = 0; turn < 2; ++turn)
        if (turn != order)
            dsm_receive(peer, ORRERY_TAG_LINKS, memory[1], bytes);
        else
            dsm_send(peer, ORRERY_TAG_LINKS, memory[0], bytes);
}

/* Half the way there and back. */
static double way_seconds(int peer, size_t bytes) {
    double seconds[ROUNDS];
    for (int i = -WARM; i < ROUNDS; ++i) {
        double begin = orrery_clock();
        there_and_back(peer, bytes);
        seconds[i < 0 ? 0 : i] = (orrery_clock() - begin) / 2;
    }
    return quartile(seconds);
}

/* Seconds of a few long messages, one behind the other, until the other end has said so. */
static double stream_seconds(int peer) {
    double best = 0;
    for (int round = 0; round < 3; ++round) {
        struct dsm_request *requests[STREAMS];
        double begin = orrery_clock();
        for (int i = 0; i < STREAMS; ++i)
            requests[i] = dsm_rank() == 0
                              ? dsm_send_start(peer, ORRERY_TAG_LINKS, memory[0], STREAM)
                              : dsm_receive_start(peer, ORRERY_TAG_LINKS, memory[1], STREAM);
        for (int i = 0; i < STREAMS; ++i)
            dsm_wait(requests[i]);
        if (dsm_rank() == 0)
            dsm_receive(peer, ORRERY_TAG_LINKS, memory[1], 1);
        else
            dsm_send(peer, ORRERY_TAG_LINKS, memory[0], 1);
        double taken = orrery_clock() - begin;
        best = round && best < taken ? best : taken;
    }
    return best;
}

/* ---- what the processor has to do for a message that comes and one that goes ---- */

static double work(long steps) {
    double x = 1;
    for (long i = 0; i < steps; ++i)
        x = x * 0.999 + 1e-3;
    return x;
}

/* Steps of work that take so long. */
static long steps_of(double seconds) {
    const long steps = 1 << 16;
    double least = 1;
    for (int i = 0; i < 5; ++i) {
        double begin = orrery_clock();
        memory[0][0] = (char)work(steps);
        double taken = orrery_clock() - begin;
        least = taken < least ? taken : least;
    }
    return (long)(seconds / least * (double)steps) + 1;
}

static bool done(struct dsm_request **request) {
    if (*request && dsm_test(*request))
        *request = NULL;
    return !*request;
}

/* A block of work with a message each way meanwhile, looked after as the executor does it: now and
 * then. bytes 0: without. */
static double work_with(int peer, size_t bytes, long steps) {
    struct dsm_request *going = NULL, *coming = NULL;
    double begin = orrery_clock();
    if (bytes) {
        coming = dsm_receive_start(peer, ORRERY_TAG_LINKS, memory[1], bytes);
        going = dsm_send_start(peer, ORRERY_TAG_LINKS, memory[0], bytes);
    }
    for (int i = 0; i < PIECES; ++i) {
        memory[0][0] = (char)work(steps / PIECES);
        done(&going);
        done(&coming);
    }
    while (!done(&going) || !done(&coming))
        continue;
    return orrery_clock() - begin;
}

/* Seconds that a message each way adds to work which is long enough to hide its way: one end of one
 * message. Both ranks begin together. */
static double overhead_of(int peer, size_t bytes, double way) {
    long steps = steps_of(4 * way + 50e-6);
    double with[ROUNDS], without[ROUNDS];
    for (int i = 0; i < ROUNDS; ++i) {
        there_and_back(peer, SMALL);
        with[i] = work_with(peer, bytes, steps);
        without[i] = work_with(peer, 0, steps);
    }
    double more = (quartile(with) - quartile(without)) / 2;
    return more > 0 ? more : 0;
}

/* Seconds of a look at a message that is not here yet; rank 0 finds them, the other one waits. */
static double test_seconds(int peer) {
    double seconds[ROUNDS];
    char go = 0;
    if (dsm_rank() > 0) {
        dsm_receive(peer, ORRERY_TAG_LINKS, &go, sizeof go);
        dsm_send(peer, ORRERY_TAG_LINKS, memory[0], SMALL);
        return 0;
    }
    struct dsm_request *coming = dsm_receive_start(peer, ORRERY_TAG_LINKS, memory[1], SMALL);
    for (int i = 0; i < ROUNDS; ++i) {
        double begin = orrery_clock();
        for (int t = 0; t < TESTS; ++t)
            done(&coming);
        seconds[i] = (orrery_clock() - begin) / TESTS;
    }
    dsm_send(peer, ORRERY_TAG_LINKS, &go, sizeof go);
    dsm_wait(coming);
    return quartile(seconds);
}

static double at_most(double a, double most) {
    return a < most ? a : most;
}

struct orrery_link orrery_link_of(const struct orrery_ways *ways) {
    double alone = at_most(2 * ways->way[0], ways->stream / 2);
    struct orrery_link link = {.bandwidth = (double)ways->streamed / (ways->stream - alone)};
    link.overhead = at_most(ways->end[0], ways->way[0]);
    double more = at_most(ways->end[1], ways->way[1] / 2) - link.overhead;
    link.per_byte = more > 0 ? more / (double)ways->bytes : 0;
    link.latency = ways->way[0] > 2 * link.overhead ? ways->way[0] - 2 * link.overhead : 0;
    return link;
}

/* Both ranks measure in the same order. */
static struct orrery_link link_measure(int peer) {
    const size_t bytes[2] = {SMALL, LARGE};
    struct orrery_ways ways = {.bytes = LARGE, .streamed = STREAMS * (size_t)STREAM};
    for (int i = 0; i < 2; ++i)
        ways.way[i] = way_seconds(peer, bytes[i]);
    ways.stream = stream_seconds(peer);
    for (int i = 0; i < 2; ++i)
        ways.end[i] = overhead_of(peer, bytes[i], ways.way[i]);
    struct orrery_link link = orrery_link_of(&ways);
    link.test = test_seconds(peer);
    return link;
}

/* ---- who, and the file ---- */

/* Names of hosts say which ranks are neighbours. Returns the number of hosts to rank 0. */
static int peers_find(struct peers *peers) {
    char mine[HOST] = "", name[HOST];
    int hosts = 1, first = dsm_host_rank() == 0;
    gethostname(mine, sizeof mine - 1);
    *peers = (struct peers){-1, -1};
    if (dsm_rank() > 0) {
        dsm_send(0, ORRERY_TAG_LINKS, mine, sizeof mine);
        dsm_send(0, ORRERY_TAG_LINKS, &first, sizeof first);
    }
    for (int rank = 1; dsm_rank() == 0 && rank < dsm_ranks(); ++rank) {
        dsm_receive(rank, ORRERY_TAG_LINKS, name, sizeof name);
        dsm_receive(rank, ORRERY_TAG_LINKS, &first, sizeof first);
        int *peer = strcmp(mine, name) == 0 ? &peers->within : &peers->between;
        *peer = *peer < 0 ? rank : *peer;
        hosts += first;
    }
    dsm_broadcast(peers, sizeof *peers);
    return hosts;
}

static void put_link(FILE *file, const char *name, const struct orrery_link *link) {
    fprintf(file,
            ",\n \"%s\": {\"latency_us\": %.3f, \"gigabytes_per_s\": %.4f, "
            "\"overhead_us\": %.3f, \"overhead_us_per_mb\": %.3f, \"test_us\": %.3f}",
            name, 1e6 * link->latency, 1e-9 * link->bandwidth, 1e6 * link->overhead,
            1e12 * link->per_byte, 1e6 * link->test);
}

static void links_write(const struct peers *peers, int hosts, const struct orrery_link links[2]) {
    const char *path = orrery_env()->links;
    FILE *file = fopen(path, "w");
    if (!file)
        dsm_fail(1, "cannot write the links %s: %s", path, strerror(errno));
    fprintf(file,
            "{\"schema\": \"orrery-cluster/1\", \"name\": \"measured\", \"nodes\": %d, "
            "\"cores_per_node\": %d",
            hosts, dsm_host_ranks() * orrery_workers_count());
    if (peers->within >= 0)
        put_link(file, "within_node", &links[0]);
    if (peers->between >= 0)
        put_link(file, "between_nodes", &links[1]);
    fprintf(file, "}\n");
    if (fclose(file))
        dsm_fail(1, "cannot write the links %s: %s", path, strerror(errno));
}

void orrery_links_measure(void) {
    struct peers peers;
    struct orrery_link links[2];
    if (!orrery_env()->links)
        return;
    if (dsm_ranks() == 1)
        dsm_fail(2, "ORRERY_LINKS measures between ranks: start the program with orrery run -n 2");
    int hosts = peers_find(&peers), pair[2] = {peers.within, peers.between};
    for (int i = 0; i < 2; ++i)
        memory[i] = memset(dsm_own_alloc(STREAM), 0, STREAM);
    for (int i = 0; i < 2; ++i)
        if (pair[i] >= 0 && (dsm_rank() == 0 || dsm_rank() == pair[i]))
            links[i] = link_measure(dsm_rank() ? 0 : pair[i]);
    for (int i = 0; i < 2; ++i)
        dsm_own_free(memory[i]);
    if (dsm_rank() == 0)
        links_write(&peers, hosts, links);
}
