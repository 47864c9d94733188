/*
 * A device that executes PTX as translate.py has made C of it. Lanes are fibers that run in a
 * random order (ORRERY_DEBUG=gpu_shuffle=N: another), as far as to the next place where others
 * matter. With PTX_KERNELS=host the same program runs the kernels' C text on the host shim, and
 * PTX_TRACE has where the functions stand that are launched.
 */
#define _GNU_SOURCE
#include "machine.h"

#include "dsm/dsm.h"
#include "runtime/base/env.h"
#include "runtime/device/device.h"
#include "runtime/device/fiber.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* RESIDENT: blocks that are there at the same time, of any kernel. SHUNNED: for so many steps. */
enum {
    STACK = (128 << 10) + 17 * 64,
    RESIDENT = 16,
    SHUNNED = 256,
    BLOCK_WARPS = PTX_THREADS / ORRERY_LANES,
    MOST_FILES = 16,
    MOST_LINES = 1 << 18,
    LINE = 64
};

enum lane_state { LANE_READY, LANE_MEETS, LANE_MEETS_BLOCK, LANE_DONE };

/* What a lane meets others for. SYNC alone orders memory. */
enum meeting { MEET_SYNC, MEET_SHUFFLE, MEET_VOTE, MEET_FOLD };

/* `how`: within its kind; `from`, `clamp`: of shuffles. */
struct request {
    enum meeting meeting;
    int how, line;
    uint32_t lanes, value, from, clamp;
};

/* A cp.async that has not been waited for. `was`: what it is to copy. `group`: how many groups had
 * been committed before. */
struct copy {
    char *to;
    const char *from;
    unsigned bytes, group;
    int line;
    char was[16];
};

/* `slot`: where it stands among those that can run. `result`, `there`: what its meeting gave.
 * `copies`: the first `ncopies` are on their way; `groups`: committed so far. */
struct lane {
    struct orrery_fiber fiber;
    enum lane_state state;
    struct request asks;
    long slot;
    uint32_t result;
    int there;
    struct copy *copies;
    unsigned ncopies, room, groups;
};

static struct {
    struct lane *lanes;            /* by number */
    long nlanes;                   /* 0: nothing runs */
    long live;                     /* those that have not left the kernel */
    long nready;                   /* those that can run */
    long room;                     /* there are stacks for so many */
    long at;                       /* the one that runs */
    long *ready;                   /* those that can run, in no order */
    uint32_t *waits;               /* by warp: lanes that have come to a meeting */
    char *stacks;                  /* of all lanes */
    char *shared;                  /* of all blocks; NULL: none */
    size_t shared_bytes;           /* ... */
    const struct ptx_entry *entry; /* the kernel */
    struct orrery_kernel_job job;  /* what it is launched with */
    struct orrery_fiber scheduler; /* between turns */
    uint64_t random;               /* the generator's state (Marsaglia, Xorshift RNGs, 2003) */
    uint64_t steps;                /* turns so far */
    uint64_t progress;          /* the turn in which something last happened that others wait for */
    long shunned;               /* a warp that others are chosen before */
    FILE *trace;                /* PTX_TRACE */
    bool traced[MOST_LINES][2]; /* lines that stand there; `written` */
} machine;

static struct {
    const struct ptx_entry *entries;
    unsigned long count;
} files[MOST_FILES];
static int nfiles;

void ptx_tell(const struct ptx_entry *entries, unsigned long count) {
    if (nfiles == MOST_FILES)
        abort();
    files[nfiles].entries = entries;
    files[nfiles++].count = count;
}

void *machine_memory(size_t count, size_t bytes) {
    void *memory = calloc(count, bytes);
    if (!memory)
        dsm_fail(1, "PTX: no memory is left");
    return memory;
}

/* ---- where a lane is ---- */

uint32_t ptx_thread(void) {
    return (uint32_t)(machine.at % PTX_THREADS);
}

uint32_t ptx_block(void) {
    return (uint32_t)(machine.at / PTX_THREADS);
}

uint32_t ptx_blocks(void) {
    return (uint32_t)(machine.nlanes / PTX_THREADS);
}

uint64_t ptx_clock(void) {
    return machine.steps * 32;
}

char *ptx_shared(unsigned offset) {
    return machine.shared + (size_t)ptx_block() * machine.entry->shared + offset;
}

long machine_agent(void) {
    return machine.at;
}

bool machine_is_local(const void *at) {
    const char *stack = machine.stacks + (size_t)machine.at * STACK, *low = at;
    return low >= stack && low < stack + STACK;
}

void machine_trace(int line, bool written) {
    if (!machine.trace || line >= MOST_LINES || machine.traced[line][written])
        return;
    machine.traced[line][written] = true;
    fprintf(machine.trace, written ? "%d written\n" : "%d\n", line);
    fflush(machine.trace);
}

unsigned machine_random(unsigned below) {
    machine.random ^= machine.random << 13;
    machine.random ^= machine.random >> 7;
    machine.random ^= machine.random << 17;
    return (unsigned)(machine.random >> 32) % below;
}

void machine_progress(void) {
    machine.progress = machine.steps;
}

void machine_wrong(int line, const char *form, ...) {
    char text[512];
    va_list list;
    va_start(list, form);
    vsnprintf(text, sizeof text, form, list);
    va_end(list);
    dsm_fail(1, "PTX: %s, line %d, lane %ld of warp %ld: %s", machine.entry->name, line,
             machine.at % ORRERY_LANES, machine.at / ORRERY_LANES, text);
}

/* ---- turns ---- */

static void ready_add(long number) {
    machine.lanes[number].state = LANE_READY;
    machine.lanes[number].slot = machine.nready;
    machine.ready[machine.nready++] = number;
}

static void ready_remove(long number) {
    long slot = machine.lanes[number].slot, last = machine.ready[--machine.nready];
    machine.ready[slot] = last;
    machine.lanes[last].slot = slot;
}

static void give_way(enum lane_state state) {
    struct lane *self = &machine.lanes[machine.at];
    self->state = state;
    if (state != LANE_READY)
        ready_remove(machine.at);
    orrery_fiber_switch(&self->fiber, &machine.scheduler, state == LANE_DONE);
}

void machine_yield(void) {
    give_way(LANE_READY);
}

void ptx_pause(void) {
    machine_yield();
}

void ptx_exit(void) {
    machine_progress();
    give_way(LANE_DONE);
    abort();
}

void ptx_trap(int line) {
    machine_wrong(line, "trap");
}

static void lane_run(void *data) {
    (void)data;
    machine.entry->run((char *)&machine.job);
    ptx_exit();
}

/* One lane runs as far as it comes. A warp may have to wait for long. */
static void step(void) {
    long lane = machine.ready[machine_random((unsigned)machine.nready)];
    if (machine.steps++ % SHUNNED == 0)
        machine.shunned = machine_random((unsigned)(machine.nlanes / ORRERY_LANES));
    for (int n = 0; n < 8 && lane / ORRERY_LANES == machine.shunned; ++n)
        lane = machine.ready[machine_random((unsigned)machine.nready)];
    machine.at = lane;
    orrery_fiber_switch(&machine.scheduler, &machine.lanes[lane].fiber, 0);
    machine.live -= machine.lanes[lane].state == LANE_DONE;
}

/* ---- meetings ---- */

static bool is_with(const struct lane *lane, const struct request *asks) {
    if (lane->state != LANE_MEETS || lane->asks.lanes != asks->lanes)
        return false;
    if (lane->asks.line != asks->line)
        machine_wrong(asks->line,
                      "the lanes of the warp diverge: one that it should meet is in line %d",
                      lane->asks.line);
    return true;
}

/* PTX ISA 9.0, shfl.sync. */
static void shuffle(const struct lane *warp, struct lane *self, int number) {
    const struct request *asks = &self->asks;
    int b = (int)(asks->from & 31), segment = (int)(asks->clamp >> 8 & 31);
    int clamp = (int)(asks->clamp & 31), least = number & segment;
    int most = least | (clamp & ~segment);
    int from = asks->how == PTX_UP     ? number - b
               : asks->how == PTX_DOWN ? number + b
               : asks->how == PTX_BFLY ? number ^ b
                                       : least | (b & ~segment);
    self->there = asks->how == PTX_UP ? from >= most : from <= most;
    from = self->there ? from : number;
    if (!(asks->lanes >> from & 1))
        machine_wrong(asks->line, "a value of lane %d, which does not meet", from);
    self->result = warp[from].asks.value;
}

static void vote(const struct lane *warp, struct lane *self) {
    uint32_t says = 0, lanes = self->asks.lanes;
    for (int l = 0; l < ORRERY_LANES; ++l)
        if (lanes >> l & 1 && warp[l].asks.value)
            says |= 1u << l;
    self->result = self->asks.how == PTX_BALLOT ? says
                   : self->asks.how == PTX_ANY  ? says != 0
                   : self->asks.how == PTX_ALL  ? says == lanes
                                                : says == 0 || says == lanes;
}

static uint32_t folded(int how, uint32_t a, uint32_t b) {
    switch (how) {
    case PTX_FOLD_ADD:
        return a + b;
    case PTX_FOLD_MIN:
        return a < b ? a : b;
    case PTX_FOLD_MAX:
        return a > b ? a : b;
    case PTX_FOLD_AND:
        return a & b;
    case PTX_FOLD_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void fold(const struct lane *warp, struct lane *self) {
    uint32_t lanes = self->asks.lanes, sum = warp[__builtin_ctz(lanes)].asks.value;
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1)
        sum = folded(self->asks.how, sum, warp[__builtin_ctz(left)].asks.value);
    self->result = sum;
}

static void answer(const struct lane *warp, struct lane *self, int number) {
    if (self->asks.meeting == MEET_SHUFFLE)
        shuffle(warp, self, number);
    else if (self->asks.meeting == MEET_VOTE)
        vote(warp, self);
    else if (self->asks.meeting == MEET_FOLD)
        fold(warp, self);
}

static void meeting_end(struct lane *warp, uint32_t lanes) {
    long first = warp - machine.lanes;
    for (int l = 0; l < ORRERY_LANES; ++l)
        if (lanes >> l & 1)
            answer(warp, &warp[l], l);
    for (int l = 0; l < ORRERY_LANES; ++l)
        if (lanes >> l & 1)
            ready_add(first + l);
    machine_progress();
}

/* Have all others come, for the same? */
static bool all_there(const struct lane *warp, uint32_t waits, const struct request *asks) {
    bool all = true;
    if (waits & asks->lanes)
        is_with(&warp[__builtin_ctz(waits & asks->lanes)], asks);
    if ((waits & asks->lanes) != asks->lanes)
        return false;
    for (uint32_t left = asks->lanes; left; left &= left - 1)
        all &= is_with(&warp[__builtin_ctz(left)], asks);
    return all;
}

/* The last one who comes wakes the others. */
static struct lane *meet(struct request asks) {
    struct lane *self = &machine.lanes[machine.at];
    long number = machine.at % ORRERY_LANES, warp = machine.at / ORRERY_LANES;
    uint32_t *waits = &machine.waits[warp];
    if (!(asks.lanes >> number & 1))
        machine_wrong(asks.line, "it is none of the lanes that it meets (%#x)", asks.lanes);
    machine_trace(asks.line, false);
    self->asks = asks;
    self->state = LANE_MEETS;
    *waits |= 1u << number;
    if (!all_there(self - number, *waits, &asks)) {
        give_way(LANE_MEETS);
        return self;
    }
    *waits &= ~asks.lanes;
    ready_remove(machine.at);
    if (asks.meeting == MEET_SYNC)
        order_meet_warp(warp, asks.lanes, asks.lanes == ~0u);
    meeting_end(self - number, asks.lanes);
    machine_yield();
    return self;
}

void ptx_meet_warp(uint32_t lanes, int line) {
    meet((struct request){.meeting = MEET_SYNC, .line = line, .lanes = lanes});
}

uint32_t ptx_shuffle(int how, uint32_t value, uint32_t from, uint32_t clamp, uint32_t lanes,
                     int *there, int line) {
    const struct lane *self = meet((struct request){.meeting = MEET_SHUFFLE,
                                                    .how = how,
                                                    .line = line,
                                                    .lanes = lanes,
                                                    .value = value,
                                                    .from = from,
                                                    .clamp = clamp});
    *there = self->there;
    return self->result;
}

uint32_t ptx_vote(int how, int says, uint32_t lanes, int line) {
    return meet((struct request){.meeting = MEET_VOTE,
                                 .how = how,
                                 .line = line,
                                 .lanes = lanes,
                                 .value = says != 0})
        ->result;
}

/* With the sign turned signed numbers have the order of unsigned ones. */
uint32_t ptx_fold(int how, int is_signed, uint32_t value, uint32_t lanes, int line) {
    uint32_t turn = is_signed && (how == PTX_FOLD_MIN || how == PTX_FOLD_MAX) ? 1u << 31 : 0;
    return meet((struct request){.meeting = MEET_FOLD,
                                 .how = how,
                                 .line = line,
                                 .lanes = lanes,
                                 .value = value ^ turn})
               ->result ^
           turn;
}

void ptx_meet_block(int line) {
    struct lane *self = &machine.lanes[machine.at];
    long first = machine.at / PTX_THREADS * PTX_THREADS, came = 1;
    machine_trace(line, false);
    self->asks = (struct request){.line = line};
    for (long l = first; l < first + PTX_THREADS; ++l)
        came += l != machine.at && machine.lanes[l].state == LANE_MEETS_BLOCK;
    if (came < PTX_THREADS) {
        give_way(LANE_MEETS_BLOCK);
        return;
    }
    ready_remove(machine.at);
    for (long w = 0; w < BLOCK_WARPS; ++w)
        order_meet_warp(first / ORRERY_LANES + w, ~0u, true);
    order_meet_block(first / ORRERY_LANES, BLOCK_WARPS);
    for (long l = first; l < first + PTX_THREADS; ++l)
        ready_add(l);
    machine_progress();
    machine_yield();
}

/* ---- cp.async ---- */

void ptx_copy_begin(char *to, const char *from, unsigned bytes, int line) {
    struct lane *self = &machine.lanes[machine.at];
    ptx_read(from, bytes, line);
    ptx_write(to, bytes, line);
    if (self->ncopies == self->room) {
        self->room = 2 * self->room + 8;
        struct copy *more = machine_memory(self->room, sizeof *more);
        memcpy(more, self->copies ? self->copies : more, self->ncopies * sizeof *more);
        free(self->copies);
        self->copies = more;
    }
    struct copy *copy = &self->copies[self->ncopies++];
    *copy = (struct copy){to, from, bytes, self->groups, line, {0}};
    memcpy(copy->was, from, bytes);
    memset(to, 0xa5, bytes);
}

void ptx_copies_commit(void) {
    ++machine.lanes[machine.at].groups;
}

/* It may have read at any time since it began. */
static void copy_end(const struct copy *copy) {
    ptx_read(copy->from, copy->bytes, copy->line);
    ptx_write(copy->to, copy->bytes, copy->line);
    if (memcmp(copy->was, copy->from, copy->bytes) != 0)
        machine_wrong(copy->line, "what a cp.async copies changes before it is waited for");
    memcpy(copy->to, copy->was, copy->bytes);
}

void ptx_copies_await(unsigned left, int line) {
    struct lane *self = &machine.lanes[machine.at];
    unsigned stay = 0;
    machine_trace(line, false);
    for (unsigned i = 0; i < self->ncopies; ++i)
        if (self->copies[i].group + left < self->groups)
            copy_end(&self->copies[i]);
        else
            self->copies[stay++] = self->copies[i];
    self->ncopies = stay;
}

/* ---- launches ---- */

static bool by_host(void) {
    const char *text = getenv("PTX_KERNELS");
    return text && strcmp(text, "host") == 0;
}

/* By the host's function, or, where that is NULL, by name; NULL: there is none. */
static const struct ptx_entry *entry_find(const void *known_as, const char *name) {
    for (int f = 0; f < nfiles; ++f)
        for (unsigned long i = 0; i < files[f].count; ++i) {
            const struct ptx_entry *entry = &files[f].entries[i];
            if (known_as ? entry->known_as == known_as : strcmp(entry->name, name) == 0)
                return entry;
        }
    return NULL;
}

/* PTX_FAULT=X: in the place of kernel N runs N__X, where there is one. */
static const struct ptx_entry *entry_of(const void *known_as) {
    const struct ptx_entry *entry = entry_find(known_as, ""), *other = NULL;
    const char *fault = getenv("PTX_FAULT");
    char name[256];
    if (!entry)
        dsm_fail(1, "PTX: a kernel is launched that was not translated");
    if (fault && snprintf(name, sizeof name, "%s__%s", entry->name, fault) < (int)sizeof name)
        other = entry_find(NULL, name);
    return other ? other : entry;
}

/* Stacks stay for the next launch. */
static void lanes_room(long count) {
    if (count <= machine.room)
        return;
    free(machine.stacks);
    machine.room = count;
    machine.stacks = aligned_alloc(LINE, (size_t)count * STACK);
    if (!machine.stacks)
        dsm_fail(1, "PTX: no memory is left");
}

static void lanes_make(long count) {
    lanes_room(count);
    machine.nlanes = machine.live = count;
    machine.nready = 0;
    machine.lanes = machine_memory((size_t)count, sizeof *machine.lanes);
    machine.ready = machine_memory((size_t)count, sizeof *machine.ready);
    machine.waits = machine_memory((size_t)count / ORRERY_LANES, sizeof *machine.waits);
    for (long i = 0; i < count; ++i) {
        orrery_fiber_make(&machine.lanes[i].fiber, machine.stacks + (size_t)i * STACK, STACK,
                          lane_run, NULL);
        ready_add(i);
    }
}

/* PTX has addresses of 32 bits for it. */
static void shared_make(long blocks) {
    size_t bytes = (size_t)blocks * machine.entry->shared;
    machine.shared = NULL;
    machine.shared_bytes = bytes;
    if (!bytes)
        return;
    machine.shared =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (machine.shared == MAP_FAILED)
        dsm_fail(1, "PTX: no memory is left for shared memory");
    memset(machine.shared, 0xa5, bytes);
    order_memory_add(machine.shared, bytes, false);
}

static void launch(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                   long warps) {
    if (getenv("PTX_TRACE") && !machine.trace)
        machine.trace = fopen(getenv("PTX_TRACE"), "w");
    if (by_host()) {
        if (machine.trace)
            fprintf(machine.trace, "%016lx\n", (unsigned long)(uintptr_t)kernel->entry);
        orrery_device_host.launch(kernel, job, warps);
        return;
    }
    if (warps > RESIDENT * BLOCK_WARPS)
        dsm_fail(1, "PTX: %ld blocks wait for each other, and %d are there at the same time",
                 warps / BLOCK_WARPS, RESIDENT);
    machine.entry = entry_of(kernel->entry);
    machine.job = *job;
    machine.random = 0x9e3779b97f4a7c15ul * (uint64_t)(orrery_env()->gpu_shuffle + 1);
    machine.steps = machine.progress = 0;
    order_begin(warps);
    lanes_make(warps * ORRERY_LANES);
    shared_make(warps / BLOCK_WARPS);
}

static void launch_end(void) {
    for (long i = 0; i < machine.nlanes; ++i) {
        orrery_fiber_free(&machine.lanes[i].fiber);
        free(machine.lanes[i].copies);
    }
    free(machine.lanes);
    free(machine.ready);
    free(machine.waits);
    if (machine.shared) {
        order_memory_remove(machine.shared);
        munmap(machine.shared, machine.shared_bytes);
    }
    order_end();
    machine.nlanes = 0;
}

static const char *state_name(enum lane_state state) {
    static const char *const names[] = {[LANE_READY] = "polls behind",
                                        [LANE_MEETS] = "meets its warp in",
                                        [LANE_MEETS_BLOCK] = "meets its block in",
                                        [LANE_DONE] = "has left the kernel behind"};
    return names[state];
}

/* The lanes of one warp that is not done tell. */
static _Noreturn void stuck(void) {
    long lane = 0;
    while (machine.lanes[lane].state == LANE_DONE)
        ++lane;
    const struct lane *first = &machine.lanes[lane / ORRERY_LANES * ORRERY_LANES], *a = first;
    const struct lane *b = &machine.lanes[lane];
    while (a < first + ORRERY_LANES - 1 && a->state == b->state && a->asks.line == b->asks.line)
        ++a;
    dsm_fail(1, "PTX: %s: no warp can go on: lane %ld of warp %ld %s line %d, lane %ld %s line %d",
             machine.entry->name, lane % ORRERY_LANES, lane / ORRERY_LANES, state_name(b->state),
             b->asks.line, (long)(a - first), state_name(a->state), a->asks.line);
}

/* As far as it comes without the host. */
static bool poll(void) {
    if (by_host())
        return orrery_device_host.poll();
    if (machine.nlanes == 0)
        return true;
    uint64_t end = machine.job.here ? machine.steps + (uint64_t)machine.nlanes * 16 : ~0ul;
    machine.progress = machine.steps;
    order_host_gives();
    while (machine.nready > 0 && machine.steps < end &&
           machine.steps - machine.progress < 64 * (SHUNNED + (uint64_t)machine.nready))
        step();
    if (machine.live > 0 && (!machine.job.here || machine.nready == 0))
        stuck();
    order_host_takes();
    if (machine.live > 0)
        return false;
    launch_end();
    return true;
}

static void sync(void) {
    while (!poll())
        continue;
}

/* ---- memory ---- */

static void *alloc(size_t bytes) {
    char *memory = orrery_device_host.alloc(bytes);
    if (memory) {
        memset(memory, 0xa5, bytes);
        order_memory_add(memory, bytes, false);
    }
    return memory;
}

static void release(void *memory) {
    order_memory_remove(memory);
    orrery_device_host.free(memory);
}

static void *shared_alloc(size_t bytes) {
    char *memory = orrery_device_host.shared_alloc(bytes);
    order_memory_add(memory, bytes, true);
    return memory;
}

static void shared_free(void *memory) {
    order_memory_remove(memory);
    orrery_device_host.shared_free(memory);
}

static void copy_in(void *device, const void *from, size_t bytes) {
    order_host_copies(device, bytes, true);
    memcpy(device, from, bytes);
}

static void copy_out(void *to, const void *device, size_t bytes) {
    order_host_copies(device, bytes, false);
    memcpy(to, device, bytes);
}

static void fill_zero(void *device, size_t bytes) {
    order_host_copies(device, bytes, true);
    memset(device, 0, bytes);
}

static void nothing(void) {
}

/* PTX_CLAIMED=n: it says that n blocks fit, whatever is true. */
static long warps(const struct orrery_kernel *kernel) {
    const char *claimed = getenv("PTX_CLAIMED");
    (void)kernel;
    return (claimed ? atol(claimed) : orrery_env()->gpu_blocks ? RESIDENT : 4) * BLOCK_WARPS;
}

static void memory(size_t *unused, size_t *all) {
    orrery_device_host.memory(unused, all);
}

const struct orrery_device orrery_device_ptx = {
    .name = "the PTX machine",
    .open = nothing,
    .alloc = alloc,
    .free = release,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .fill_zero = fill_zero,
    .warps = warps,
    .launch = launch,
    .poll = poll,
    .sync = sync,
    .shared_alloc = shared_alloc,
    .shared_free = shared_free,
    .memory = memory,
    .arrived = nothing,
};
