/*
 * The host shim: a device whose lanes are fibers of the calling thread. The kernels are the very
 * text that nvcc compiles; what they may not do on a GPU ends the job with a message here: lanes of
 * a warp that meet at different places, waiting that nobody will end.
 */
#define _GNU_SOURCE
#include "runtime/device/device.h"

#include "runtime/base/env.h"
#include "runtime/base/memory.h"
#include "runtime/device/fiber.h"

#include "dsm/dsm.h"

#include <stdint.h>
#include <string.h>

/* Stacks begin in cache lines of different sets: at multiples of 128 KiB all would be in one. */
enum { STACK = (128 << 10) + 17 * 64, MOST_BLOCKS = 64, BLOCKS = 4, EXCHANGED = 8 };

enum lane_state { LANE_READY, LANE_MEETS, LANE_PAUSES, LANE_DONE };

/* `meets`: how often it has met the others; `what`: where it last did. */
struct lane {
    struct orrery_fiber fiber;
    enum lane_state state;
    unsigned meets;
    const char *what;
};

/* `met`: how often all lanes have; `arrived`: this time; `first`: who came first. `ready`: a bit
 * for each lane that neither is done nor waits for others to meet it; `order`: what meetings write.
 * `values`: what the lanes bring, of even and of odd meetings: nobody is two ahead. */
struct warp {
    struct lane lanes[ORRERY_LANES];
    unsigned met, arrived, ready, order;
    int first;
    char values[2][ORRERY_LANES][EXCHANGED];
};

/* The host that plays a device: the launch that runs. */
static struct {
    struct warp *warps;
    long nwarps, room; /* warps; there is memory for so many */
    long turn;         /* counts turns, which shuffle the order of warps */
    struct orrery_fiber scheduler;
    struct lane *lane; /* the one that runs */
    long at;           /* its number */
    char *stacks;      /* of all lanes */
    size_t used;       /* bytes of device memory */
    void (*entry)(const struct orrery_kernel_job *job);
    struct orrery_kernel_job job;
    long live; /* lanes that are not done */
} shim;

/* ---- what kernels call ---- */

ORRERY_UNWATCHED int orrery_host_lane(void) {
    return (int)(shim.at % ORRERY_LANES);
}

ORRERY_UNWATCHED long orrery_host_warp(void) {
    return shim.at / ORRERY_LANES;
}

long orrery_host_warps(void) {
    return shim.nwarps;
}

ORRERY_UNWATCHED static void give_way(enum lane_state state) {
    struct lane *lane = shim.lane;
    lane->state = state;
    if (state == LANE_MEETS || state == LANE_DONE)
        shim.warps[shim.at / ORRERY_LANES].ready &= ~(1u << shim.at % ORRERY_LANES);
    orrery_fiber_switch(&lane->fiber, &shim.scheduler, state == LANE_DONE);
}

void orrery_host_pause(void) {
    give_way(LANE_PAUSES);
}

unsigned orrery_host_load(const unsigned *flag) {
    return __atomic_load_n(flag, __ATOMIC_ACQUIRE);
}

void orrery_host_store(unsigned *flag, unsigned value) {
    __atomic_store_n(flag, value, __ATOMIC_RELEASE);
}

/* The lane that came first came for the same. */
ORRERY_UNWATCHED static void meeting_check(struct warp *warp, const char *what) {
    if (warp->arrived == 0)
        warp->first = orrery_host_lane();
    const struct lane *other = &warp->lanes[warp->first];
    if (other->what != what && strcmp(other->what, what) != 0)
        dsm_fail(1,
                 "the lanes of warp %ld diverge: lane %d is in %s, lane %d in %s; on a GPU they "
                 "would hang or exchange nonsense",
                 shim.at / ORRERY_LANES, orrery_host_lane(), what, warp->first, other->what);
}

/* What lanes exchange gives no order to their memory (PTX ISA, shfl.sync and vote.sync; bar.warp.sync
 * does): the race detector must not see it. */
ORRERY_UNWATCHED static __attribute__((noinline)) void value_copy(char *to, const char *from,
                                                                  size_t size) {
    if (size == sizeof(unsigned))
        memcpy(to, from, sizeof(unsigned));
    else
        memcpy(to, from, EXCHANGED);
}

ORRERY_UNWATCHED static void values_take(char (*values)[EXCHANGED], char *to, size_t size,
                                         int lane) {
    if (lane >= 0)
        value_copy(to, values[lane % ORRERY_LANES], size);
    for (int i = 0; i < ORRERY_LANES && lane < 0; ++i)
        value_copy(to + (size_t)i * size, values[i], size);
}

/* All fibers are of one thread: a load and a store. True: all have come. */
ORRERY_UNWATCHED static bool arrive(struct warp *warp, unsigned meeting) {
    unsigned arrived = warp->arrived + 1;
    warp->arrived = arrived % ORRERY_LANES;
    if (arrived < ORRERY_LANES)
        return false;
    warp->ready = ~0u;
    warp->met = meeting;
    return true;
}

ORRERY_UNWATCHED static void wait_for_all(const struct warp *warp, unsigned meeting) {
    while (*(const volatile unsigned *)&warp->met != meeting)
        give_way(LANE_MEETS);
}

/* What the race detector takes for order: all who come before all who leave. */
static void order_before(struct warp *warp) {
    unsigned before = __atomic_load_n(&warp->order, __ATOMIC_ACQUIRE);
    __atomic_store_n(&warp->order, before + 1, __ATOMIC_RELEASE);
}

static void order_behind(struct warp *warp) {
    (void)__atomic_load_n(&warp->order, __ATOMIC_ACQUIRE);
}

/* No size: a meeting. */
void orrery_host_exchange(const void *mine, void *theirs, unsigned long size, int lane,
                          const char *what) {
    struct warp *warp = &shim.warps[shim.at / ORRERY_LANES];
    struct lane *self = shim.lane;
    int number = orrery_host_lane();
    unsigned meeting = self->meets + 1;
    char(*values)[EXCHANGED] = warp->values[meeting % 2];
    self->meets = meeting;
    self->what = what;
    meeting_check(warp, what);
    if (size)
        value_copy(values[number], mine, size);
    else
        order_before(warp);
    if (!arrive(warp, meeting))
        wait_for_all(warp, meeting);
    if (!size)
        order_behind(warp);
    else if (theirs)
        values_take(values, theirs, size, lane);
}

/* ---- the scheduler ---- */

static void lane_run(void *data) {
    (void)data;
    shim.entry(&shim.job);
    give_way(LANE_DONE);
}

static _Noreturn void stuck(void) {
    for (long w = 0; w < shim.nwarps; ++w) {
        const struct warp *warp = &shim.warps[w];
        int done = -1, meets = -1;
        for (int i = 0; i < ORRERY_LANES; ++i) {
            done = warp->lanes[i].state == LANE_DONE ? i : done;
            meets = warp->lanes[i].state == LANE_MEETS ? i : meets;
        }
        if (done >= 0 && meets >= 0)
            dsm_fail(1,
                     "the lanes of warp %ld diverge: lane %d has left the kernel, lane %d waits in "
                     "%s; on a GPU they would hang or exchange nonsense",
                     w, done, meets, warp->lanes[meets].what);
    }
    dsm_fail(1, "no warp can go on: every one waits for a column that nobody will hand on");
}

/* The first lane from `lane` on that can run, ORRERY_LANES: none can. */
ORRERY_UNWATCHED static int ready_from(const struct warp *warp, int lane) {
    unsigned ready = lane < ORRERY_LANES ? warp->ready & (~0u << lane) : 0;
    return ready ? __builtin_ctz(ready) : ORRERY_LANES;
}

/* Runs one lane as far as it comes. True: something has changed. */
ORRERY_UNWATCHED static bool lane_step(struct warp *warp, int number) {
    struct lane *lane = &warp->lanes[number];
    shim.at = (warp - shim.warps) * ORRERY_LANES + number;
    shim.lane = lane;
    lane->state = LANE_READY;
    orrery_fiber_switch(&shim.scheduler, &lane->fiber, 0);
    shim.live -= lane->state == LANE_DONE;
    return lane->state != LANE_PAUSES;
}

/* All warps, and the lanes of each, in their order. */
ORRERY_UNWATCHED static bool round_in_order(void) {
    bool progress = false;
    for (struct warp *warp = shim.warps; warp < shim.warps + shim.nwarps; ++warp)
        for (int lane = 0; (lane = ready_from(warp, lane)) < ORRERY_LANES; ++lane)
            progress |= lane_step(warp, lane);
    return progress;
}

/* With ORRERY_DEBUG=gpu_shuffle=N: warps and lanes in another order in every round. */
ORRERY_UNWATCHED static bool round_shuffled(unsigned long turn) {
    const unsigned long mixed = turn * 2654435761ul, nwarps = (unsigned long)shim.nwarps;
    bool progress = false;
    for (unsigned long w = 0; w < nwarps; ++w)
        for (unsigned long i = 0; i < ORRERY_LANES; ++i) {
            struct warp *warp = &shim.warps[nwarps - 1 - (w + mixed) % nwarps];
            int lane = (int)((i * (mixed | 1) + (mixed >> 8)) % ORRERY_LANES);
            if (ready_from(warp, lane) == lane)
                progress |= lane_step(warp, lane);
        }
    return progress;
}

static bool round_run(void) {
    ++shim.turn;
    if (orrery_env()->gpu_shuffle)
        return round_shuffled((unsigned long)(shim.turn + orrery_env()->gpu_shuffle));
    return round_in_order();
}

static void room_make(long warps) {
    if (warps <= shim.room)
        return;
    orrery_memory_free(shim.warps);
    orrery_memory_unmap(shim.stacks, (size_t)shim.room * ORRERY_LANES * STACK);
    shim.warps = orrery_memory_aligned((size_t)warps * sizeof *shim.warps);
    shim.stacks = orrery_memory_map_sparse((size_t)warps * ORRERY_LANES * STACK);
    shim.room = warps;
}

static void host_launch(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                        long warps) {
    shim.live = warps * ORRERY_LANES;
    room_make(warps);
    memset(shim.warps, 0, (size_t)warps * sizeof *shim.warps);
    for (long w = 0; w < warps; ++w)
        shim.warps[w].ready = ~0u;
    shim.nwarps = warps;
    shim.job = *job;
    memcpy(&shim.entry, &kernel->entry, sizeof shim.entry);
    for (long i = 0; i < shim.live; ++i)
        orrery_fiber_make(&shim.warps[i / ORRERY_LANES].lanes[i % ORRERY_LANES].fiber,
                          shim.stacks + (size_t)i * STACK, STACK, lane_run, NULL);
}

/* Rounds of a wavefront after which the host looks what has come, and what may go. */
enum { ROUNDS = 64 };

/* As far as it comes by itself: what the host has to bring is brought between calls. */
static bool host_poll(void) {
    bool progress = true, ran = shim.live > 0;
    for (int n = 0; shim.live > 0 && progress && !(shim.job.pace && n == ROUNDS); ++n)
        progress = round_run();
    if (shim.live > 0 && !shim.job.here)
        stuck();
    for (long i = 0; ran && shim.live == 0 && i < shim.nwarps * ORRERY_LANES; ++i)
        orrery_fiber_free(&shim.warps[i / ORRERY_LANES].lanes[i % ORRERY_LANES].fiber);
    return shim.live == 0;
}

/* ---- the rest of the device ---- */

static void host_open(void) {
}

static size_t host_size(void) {
    return orrery_env()->gpu_memory ? (size_t)orrery_env()->gpu_memory << 20 : (size_t)1 << 40;
}

/* A line in front of the memory holds its size. */
enum { LINE = 64 };

static void *host_alloc(size_t bytes) {
    if (shim.used + bytes > host_size())
        return NULL;
    char *memory = dsm_own_alloc(bytes + LINE);
    memcpy(memory, &bytes, sizeof bytes);
    shim.used += bytes;
    return memory + LINE;
}

static void host_free(void *memory) {
    size_t bytes;
    memcpy(&bytes, (char *)memory - LINE, sizeof bytes);
    shim.used -= bytes;
    dsm_own_free((char *)memory - LINE);
}

static void host_copy_in(void *device, const void *host, size_t bytes) {
    memcpy(device, host, bytes);
}

static void host_copy_out(void *host, const void *device, size_t bytes) {
    memcpy(host, device, bytes);
}

static void host_fill_zero(void *device, size_t bytes) {
    memset(device, 0, bytes);
}

static long host_warps(const struct orrery_kernel *kernel) {
    (void)kernel;
    return (orrery_env()->gpu_blocks ? MOST_BLOCKS : BLOCKS) * ORRERY_WARPS_PER_BLOCK;
}

static void host_sync(void) {
    while (!host_poll())
        continue;
}

static void *host_shared_alloc(size_t bytes) {
    return orrery_memory_aligned(bytes);
}

static void host_memory(size_t *unused, size_t *all) {
    *all = host_size();
    *unused = *all - shim.used;
}

static void host_arrived(void) {
}

const struct orrery_device orrery_device_host = {
    .name = "the host shim",
    .open = host_open,
    .alloc = host_alloc,
    .free = host_free,
    .copy_in = host_copy_in,
    .copy_out = host_copy_out,
    .fill_zero = host_fill_zero,
    .warps = host_warps,
    .launch = host_launch,
    .poll = host_poll,
    .sync = host_sync,
    .shared_alloc = host_shared_alloc,
    .shared_free = orrery_memory_free,
    .memory = host_memory,
    .arrived = host_arrived,
};
