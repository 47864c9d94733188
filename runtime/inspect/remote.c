/* Inspection where the data are: what rank 0 asks the others, and adds up. */
#include "runtime/inspect/remote.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/env.h"

#include <string.h>

/* `spans`: per rank, what its iterations read, nspans of them; `first`: with one more, the number
 * of iterations. */
struct orrery_remote {
    int nspans;
    struct orrery_span *spans;
    long first[];
};

static void tell(int rank, const void *data, size_t bytes) {
    if (bytes)
        dsm_send(rank, ORRERY_TAG_REMOTE, data, bytes);
}

static void hear(int rank, void *data, size_t bytes) {
    if (bytes)
        dsm_receive(rank, ORRERY_TAG_REMOTE, data, bytes);
}

static void tell_all(const void *data, size_t bytes) {
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        tell(rank, data, bytes);
}

/* ---- rank 0: whose an iteration is ----------------------------------------------------------- */

/* Nothing but keys and records is asked of single iterations,
 * and the order of iterations does not matter. */
static bool is_possible(const struct orrery_loop *loop) {
    bool keyed = loop->strategy == ORRERY_PARTITION_1D || loop->strategy == ORRERY_ROTATION ||
                 loop->strategy == ORRERY_TOURNAMENT;
    for (int a = 0; a < loop->narrays; ++a)
        keyed &= loop->arrays[a].placement != ORRERY_BY_ITERATION;
    return keyed && loop->direct && loop->by_key && !loop->touches && !loop->intervals &&
           !loop->weigh && !loop->holds_at && !loop->kernel && dsm_ranks() > 1 &&
           !orrery_env()->profile;
}

/* The rank that has all of what iteration i reads, 0 where nobody else has any of it, -1 where it
 * lies in several places. */
static int rank_of(const struct orrery_loop *loop, const void *env, long i,
                   struct orrery_span *spans) {
    int rank = -2;
    for (int s = 0; s < loop->nspans; ++s)
        spans[s] = (struct orrery_span){(const char *)UINTPTR_MAX, NULL};
    loop->gather(env, i, NULL, NULL, spans);
    for (int s = 0; s < loop->nspans; ++s) {
        int on = spans[s].high ? dsm_placed_on(spans[s].low, spans[s].high) : rank;
        if (rank != -2 && on != rank)
            return -1;
        rank = on;
    }
    return rank == -2 ? 0 : rank;
}

/* The first iteration of a rank, when those of each rank follow each other; -1: they do not. */
static long first_of(const struct orrery_loop *loop, const void *env, long from, long count,
                     int rank, struct orrery_span *spans) {
    long low = from, high = count;
    while (low < high) {
        long middle = low + (high - low) / 2;
        int on = rank_of(loop, env, middle, spans);
        if (on < 0)
            return -1;
        if (on >= rank)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static bool firsts_find(struct orrery_remote *remote, const struct orrery_loop *loop,
                        const void *env, long count) {
    remote->first[dsm_ranks()] = count;
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        remote->first[rank] =
            first_of(loop, env, remote->first[rank - 1], count, rank, remote->spans);
        if (remote->first[rank] < 0)
            return false;
    }
    return remote->first[1] < count;
}

static void ask(const struct orrery_loop *loop, int slot, const void *env, long count) {
    struct orrery_remote_head head = {(struct orrery_loop *)loop, slot, count};
    char *message = dsm_own_alloc(sizeof head + loop->env_size);
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, env, loop->env_size);
    dsm_command(ORRERY_COMMAND_INSPECT, message, sizeof head + loop->env_size);
    dsm_own_free(message);
}

struct orrery_remote *orrery_remote_begin(const struct orrery_loop *loop, int slot, const void *env,
                                          long count) {
    struct dsm_range any;
    size_t ranks = (size_t)dsm_ranks();
    if (!is_possible(loop) || dsm_placed_with(-1, &any, 1) == 0 || !dsm_is_shared(loop))
        return NULL;
    struct orrery_remote *remote =
        dsm_own_alloc(sizeof *remote + (ranks + 1) * sizeof *remote->first);
    *remote = (struct orrery_remote){.nspans = loop->nspans};
    remote->first[0] = 0;
    remote->spans = dsm_own_alloc((ranks * (size_t)loop->nspans + 1) * sizeof *remote->spans);
    if (!firsts_find(remote, loop, env, count)) {
        orrery_remote_free(remote);
        return NULL;
    }
    ask(loop, slot, env, count);
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct orrery_remote_task task = {.first = remote->first[rank],
                                          .last = remote->first[rank + 1]};
        task.nranges = dsm_placed_with(rank, task.ranges, ORRERY_REMOTE_RANGES);
        tell(rank, &task, sizeof task);
    }
    return remote;
}

void orrery_remote_free(struct orrery_remote *remote) {
    if (remote)
        dsm_own_free(remote->spans);
    dsm_own_free(remote);
}

long orrery_remote_first(const struct orrery_remote *remote, int rank) {
    return remote->first[rank];
}

/* ---- rank 0: what the others find ------------------------------------------------------------ */

bool orrery_remote_ranges(struct orrery_remote *remote, const struct orrery_loop *loop, long *low,
                          long *high, struct orrery_span *spans) {
    struct orrery_remote_found found;
    int may = 1;
    size_t n = (size_t)remote->nspans;
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct orrery_span *theirs = remote->spans + (size_t)rank * n;
        hear(rank, &found, sizeof found);
        hear(rank, theirs, n * sizeof *theirs);
        may &= found.may;
        for (int d = 0; d < loop->ndims && found.may; ++d) {
            low[d] = found.low[d] < low[d] ? found.low[d] : low[d];
            high[d] = found.high[d] > high[d] ? found.high[d] : high[d];
        }
        for (size_t s = 0; s < n && found.may; ++s)
            if (theirs[s].high)
                orrery_touch(&spans[s], theirs[s].low,
                             (unsigned long)(theirs[s].high - theirs[s].low));
    }
    tell_all(&may, sizeof may);
    return may;
}

void orrery_remote_stop(const struct orrery_remote *remote) {
    int goes = 0;
    (void)remote;
    tell_all(&goes, sizeof goes);
}

void orrery_remote_dims(const struct orrery_remote *remote,
                        const struct orrery_inspection *inspection) {
    int goes = 1;
    (void)remote;
    tell_all(&goes, sizeof goes);
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        long range[2] = {inspection->dims[d].low, inspection->dims[d].high};
        tell_all(range, sizeof range);
    }
}

static void counts_add(long *counts, long n) {
    long *theirs = dsm_own_alloc((size_t)(n + 1) * sizeof *theirs);
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        hear(rank, theirs, (size_t)n * sizeof *theirs);
        for (long i = 0; i < n; ++i)
            counts[i] += theirs[i];
    }
    dsm_own_free(theirs);
}

void orrery_remote_counts(const struct orrery_remote *remote, int d, long *counts, long range) {
    (void)remote;
    (void)d;
    counts_add(counts, range);
}

void orrery_remote_blocks(const struct orrery_remote *remote,
                          const struct orrery_inspection *inspection) {
    (void)remote;
    tell_all(&inspection->blocks, sizeof inspection->blocks);
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        const struct orrery_dim *dim = &inspection->dims[d];
        size_t range = (size_t)orrery_dim_range(dim);
        int has[2] = {dim->part_of != NULL, dim->place != NULL};
        tell_all(&dim->parts, sizeof dim->parts);
        tell_all(has, sizeof has);
        if (has[0])
            tell_all(dim->part_of, range * sizeof *dim->part_of);
        if (has[1])
            tell_all(dim->place, range * sizeof *dim->place);
    }
}

void orrery_remote_blocks_add(const struct orrery_remote *remote, long *counts, long blocks) {
    (void)remote;
    counts_add(counts, blocks);
}

bool orrery_remote_holds(const struct orrery_remote *remote) {
    bool holds = true;
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        for (int s = 0; s < remote->nspans && holds; ++s) {
            const struct orrery_span *span = &remote->spans[rank * remote->nspans + s];
            holds = !span->high || dsm_placed_on(span->low, span->high) == rank;
        }
    return holds;
}
