/* Inspection where the data are: what rank 0 and the others tell each other. */
#include "runtime/inspect/far.h"

#include "dsm/dsm.h"
#include "runtime/env.h"
#include "runtime/execute/driver.h"
#include "runtime/memory.h"
#include "runtime/region.h"
#include "runtime/share/private.h"

#include <string.h>

/* The most pieces of memory that a rank is told it has. */
enum { RANGES = 64 };

/* `spans`: per rank, what its iterations read, nspans of them; `first`: with one more, the number
 * of iterations. */
struct orrery_far {
    int nspans;
    struct orrery_span *spans;
    long first[];
};

/* The command; the environment follows. */
struct far_head {
    struct orrery_loop *loop;
    int slot;
    long count;
};

/* What a rank is told of its part, and what it finds. */
struct part_task {
    long first, last;
    int nranges;
    struct dsm_range ranges[RANGES];
};
struct part_found {
    int may;
    long low[ORRERY_DIMS], high[ORRERY_DIMS];
};

static void tell(int rank, const void *data, size_t bytes) {
    if (bytes)
        dsm_send(rank, ORRERY_TAG_FAR, data, bytes);
}

static void hear(int rank, void *data, size_t bytes) {
    if (bytes)
        dsm_receive(rank, ORRERY_TAG_FAR, data, bytes);
}

static void tell_all(const void *data, size_t bytes) {
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        tell(rank, data, bytes);
}

/* ---- rank 0: whose an iteration is ---- */

/* Nothing but keys and records is asked of single iterations,
 * and the order of iterations does not matter. */
static bool is_possible(const struct orrery_loop *loop) {
    bool keyed = loop->strategy == ORRERY_PARTITION_1D || loop->strategy == ORRERY_ROTATION ||
                 loop->strategy == ORRERY_TOURNAMENT;
    for (int a = 0; a < loop->narrays; ++a)
        keyed &= loop->arrays[a].placement != ORRERY_BY_ITERATION;
    return keyed && loop->direct && loop->by_key && !loop->touches && !loop->claims &&
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

static bool firsts_find(struct orrery_far *far, const struct orrery_loop *loop, const void *env,
                        long count) {
    far->first[dsm_ranks()] = count;
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        far->first[rank] = first_of(loop, env, far->first[rank - 1], count, rank, far->spans);
        if (far->first[rank] < 0)
            return false;
    }
    return far->first[1] < count;
}

static void ask(const struct orrery_loop *loop, const void *env, long count) {
    const struct orrery_state *state = loop->state;
    struct far_head head = {(struct orrery_loop *)loop, state->slot, count};
    char *message = dsm_own_alloc(sizeof head + loop->env_size);
    memcpy(message, &head, sizeof head);
    memcpy(message + sizeof head, env, loop->env_size);
    dsm_command(ORRERY_COMMAND_INSPECT, message, sizeof head + loop->env_size);
    dsm_own_free(message);
}

struct orrery_far *orrery_far_begin(const struct orrery_loop *loop, const void *env, long count) {
    struct dsm_range any;
    size_t ranks = (size_t)dsm_ranks();
    if (!is_possible(loop) || dsm_placed_with(-1, &any, 1) == 0 || !dsm_is_shared(loop))
        return NULL;
    struct orrery_far *far = dsm_own_alloc(sizeof *far + (ranks + 1) * sizeof *far->first);
    *far = (struct orrery_far){.nspans = loop->nspans};
    far->first[0] = 0;
    far->spans = dsm_own_alloc((ranks * (size_t)loop->nspans + 1) * sizeof *far->spans);
    if (!firsts_find(far, loop, env, count)) {
        orrery_far_free(far);
        return NULL;
    }
    ask(loop, env, count);
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct part_task task = {.first = far->first[rank], .last = far->first[rank + 1]};
        task.nranges = dsm_placed_with(rank, task.ranges, RANGES);
        tell(rank, &task, sizeof task);
    }
    return far;
}

void orrery_far_free(struct orrery_far *far) {
    if (far)
        dsm_own_free(far->spans);
    dsm_own_free(far);
}

long orrery_far_first(const struct orrery_far *far, int rank) {
    return far->first[rank];
}

/* ---- rank 0: what the others find ---- */

bool orrery_far_ranges(struct orrery_far *far, const struct orrery_loop *loop, long *low,
                       long *high, struct orrery_span *spans) {
    struct part_found found;
    int may = 1;
    size_t n = (size_t)far->nspans;
    for (int rank = 1; rank < dsm_ranks(); ++rank) {
        struct orrery_span *theirs = far->spans + (size_t)rank * n;
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

void orrery_far_stop(const struct orrery_far *far) {
    int goes = 0;
    (void)far;
    tell_all(&goes, sizeof goes);
}

void orrery_far_dims(const struct orrery_far *far, const struct orrery_inspection *inspection) {
    int goes = 1;
    (void)far;
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

void orrery_far_counts(const struct orrery_far *far, int d, long *counts, long range) {
    (void)far;
    (void)d;
    counts_add(counts, range);
}

void orrery_far_blocks(const struct orrery_far *far, const struct orrery_inspection *inspection) {
    (void)far;
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

void orrery_far_blocks_add(const struct orrery_far *far, long *counts, long blocks) {
    (void)far;
    counts_add(counts, blocks);
}

bool orrery_far_holds(const struct orrery_far *far) {
    bool holds = true;
    for (int rank = 1; rank < dsm_ranks(); ++rank)
        for (int s = 0; s < far->nspans && holds; ++s) {
            const struct orrery_span *span = &far->spans[rank * far->nspans + s];
            holds = !span->high || dsm_placed_on(span->low, span->high) == rank;
        }
    return holds;
}

/* ---- the others ---- */

static bool may_read(void *data, const char *low, const char *high) {
    const struct part_task *task = data;
    for (int i = 0; i < task->nranges; ++i)
        if (task->ranges[i].low <= low && high <= task->ranges[i].high)
            return true;
    return false;
}

/* Looks at the keys, and tells what there is. */
static struct orrery_inspection *part_begin(const struct far_head *head, const void *env) {
    const struct orrery_loop *loop = head->loop;
    struct part_task task;
    hear(0, &task, sizeof task);
    struct orrery_span *spans = dsm_own_alloc((size_t)(loop->nspans + 1) * sizeof *spans);
    struct orrery_inspection *part =
        orrery_part_new(loop, env, head->count, task.first, task.last, may_read, &task, spans);
    struct part_found found = {.may = part != NULL};
    for (int d = 0; d < ORRERY_DIMS && part; ++d) {
        found.low[d] = part->dims[d].low;
        found.high[d] = part->dims[d].high;
    }
    tell(0, &found, sizeof found);
    tell(0, spans, (size_t)loop->nspans * sizeof *spans);
    dsm_own_free(spans);
    return part;
}

static void dims_hear(struct orrery_inspection *part) {
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        long range[2];
        hear(0, range, sizeof range);
        part->dims[d].low = range[0];
        part->dims[d].high = range[1];
    }
}

static void blocks_hear(struct orrery_inspection *part) {
    hear(0, &part->blocks, sizeof part->blocks);
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        struct orrery_dim *dim = &part->dims[d];
        size_t range = (size_t)orrery_dim_range(dim);
        int has[2];
        hear(0, &dim->parts, sizeof dim->parts);
        hear(0, has, sizeof has);
        if (has[0])
            hear(0, dim->part_of = dsm_own_alloc(range * sizeof *dim->part_of + 1),
                 range * sizeof *dim->part_of);
        if (has[1])
            hear(0, dim->place = dsm_own_alloc(range * sizeof *dim->place + 1),
                 range * sizeof *dim->place);
    }
}

static void counts_tell(struct orrery_dim *dim) {
    tell(0, dim->counts, (size_t)orrery_dim_range(dim) * sizeof *dim->counts);
    orrery_memory_free(dim->counts);
    dim->counts = NULL;
}

static void part_make(struct orrery_inspection *part, const struct orrery_loop *loop,
                      const void *env) {
    dims_hear(part);
    orrery_part_counts(part, loop, env);
    for (int d = 0; d < loop->ndims; ++d)
        counts_tell(&part->dims[d]);
    blocks_hear(part);
    orrery_part_blocks(part, loop, env);
    long blocks = part->blocks.rows * part->blocks.columns;
    long *counts = dsm_own_alloc((size_t)(blocks + 1) * sizeof *counts);
    orrery_inspection_own(part, counts);
    tell(0, counts, (size_t)blocks * sizeof *counts);
    dsm_own_free(counts);
}

static _Noreturn void refuse(void) {
    dsm_fail(1, "rank 0 inspects a loop that this program does not have; all ranks have to run the "
                "same program, built by the same Orrery: compare the files on their hosts "
                "[ORR9234]");
}

void orrery_far_serve(const void *payload, size_t bytes) {
    struct far_head head;
    int may, goes = 0;
    if (bytes < sizeof head)
        refuse();
    memcpy(&head, payload, sizeof head);
    if (!head.loop || !dsm_is_shared(head.loop) || bytes != sizeof head + head.loop->env_size ||
        head.slot < 0 || head.slot >= ORRERY_STATES)
        refuse();
    struct orrery_sharing *sharing = orrery_sharing_of(orrery_state_at(head.loop, head.slot));
    void *env = dsm_own_alloc(head.loop->env_size);
    memcpy(env, (const char *)payload + sizeof head, head.loop->env_size);
    orrery_inspection_free(sharing->part);
    sharing->part = part_begin(&head, env);
    hear(0, &may, sizeof may);
    if (may)
        hear(0, &goes, sizeof goes);
    if (goes) {
        part_make(sharing->part, head.loop, env);
    } else {
        orrery_inspection_free(sharing->part);
        sharing->part = NULL;
    }
    dsm_own_free(env);
}
