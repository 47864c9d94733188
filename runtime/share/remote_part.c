/* Inspection where the data are: what ranks above 0 do as rank 0 asks (inspect/remote.c). */
#include "runtime/inspect/remote.h"

#include "dsm/dsm.h"
#include "runtime/base/commands.h"
#include "runtime/base/memory.h"
#include "runtime/region/region.h"
#include "runtime/share/private.h"

#include <string.h>

static void tell(const void *data, size_t bytes) {
    if (bytes)
        dsm_send(0, ORRERY_TAG_REMOTE, data, bytes);
}

static void hear(void *data, size_t bytes) {
    if (bytes)
        dsm_receive(0, ORRERY_TAG_REMOTE, data, bytes);
}

static bool may_read(void *data, const char *low, const char *high) {
    const struct orrery_remote_task *task = data;
    for (int i = 0; i < task->nranges; ++i)
        if (task->ranges[i].low <= low && high <= task->ranges[i].high)
            return true;
    return false;
}

/* Looks at the keys, and tells what there is. */
static struct orrery_inspection *part_begin(const struct orrery_remote_head *head,
                                            const void *env) {
    const struct orrery_loop *loop = head->loop;
    struct orrery_remote_task task;
    hear(&task, sizeof task);
    struct orrery_span *spans = dsm_own_alloc((size_t)(loop->nspans + 1) * sizeof *spans);
    struct orrery_inspection *part =
        orrery_part_new(loop, env, head->count, task.first, task.last, may_read, &task, spans);
    struct orrery_remote_found found = {.may = part != NULL};
    for (int d = 0; d < ORRERY_DIMS && part; ++d) {
        found.low[d] = part->dims[d].low;
        found.high[d] = part->dims[d].high;
    }
    tell(&found, sizeof found);
    tell(spans, (size_t)loop->nspans * sizeof *spans);
    dsm_own_free(spans);
    return part;
}

static void dims_hear(struct orrery_inspection *part) {
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        long range[2];
        hear(range, sizeof range);
        part->dims[d].low = range[0];
        part->dims[d].high = range[1];
    }
}

static void blocks_hear(struct orrery_inspection *part) {
    hear(&part->blocks, sizeof part->blocks);
    for (int d = 0; d < ORRERY_DIMS; ++d) {
        struct orrery_dim *dim = &part->dims[d];
        size_t range = (size_t)orrery_dim_range(dim);
        int has[2];
        hear(&dim->parts, sizeof dim->parts);
        hear(has, sizeof has);
        if (has[0])
            hear(dim->part_of = dsm_own_alloc(range * sizeof *dim->part_of + 1),
                 range * sizeof *dim->part_of);
        if (has[1])
            hear(dim->place = dsm_own_alloc(range * sizeof *dim->place + 1),
                 range * sizeof *dim->place);
    }
}

static void counts_tell(struct orrery_dim *dim) {
    tell(dim->counts, (size_t)orrery_dim_range(dim) * sizeof *dim->counts);
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
    tell(counts, (size_t)blocks * sizeof *counts);
    dsm_own_free(counts);
}

static _Noreturn void refuse(void) {
    dsm_fail(1, "rank 0 inspects a loop that this program does not have; all ranks have to run the "
                "same program, built by the same Orrery: compare the files on their hosts "
                "[ORR9234]");
}

void orrery_remote_serve(const void *payload, size_t bytes) {
    struct orrery_remote_head head;
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
    hear(&may, sizeof may);
    if (may)
        hear(&goes, sizeof goes);
    if (goes) {
        part_make(sharing->part, head.loop, env);
    } else {
        orrery_inspection_free(sharing->part);
        sharing->part = NULL;
    }
    dsm_own_free(env);
}
