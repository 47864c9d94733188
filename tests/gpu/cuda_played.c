/*
 * The CUDA runtime, played by the host for device_cuda.c (tests/gpu/cuda.sh): kernels are those of
 * the host shim, everything else is as late and as strict as CUDA allows. What a GPU would refuse,
 * or what would hang or be wrong on one without a word, ends the program with status 70.
 *
 * Memory of the device cannot be read by the host but in copies and kernels; large memory of the
 * host cannot be read by kernels. What a stream is asked for happens when somebody waits for it.
 */
#define _GNU_SOURCE
#include "runtime/device/device.h"

#include <cuda_runtime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PROCESSORS = 2, BLOCKS_EACH = 2, MOST = 4096, LARGE = 256 << 10, STACK = 8 << 20 };

/* `host`: pinned. `device`: whose, -1: nobody's any more. */
struct memory {
    char *low;
    size_t bytes;
    int device;
    bool host;
};

/* What a stream was asked for and has not done. `event`: nothing but that it has come here. */
struct operation {
    struct operation *next;
    char *to;
    const char *from;
    size_t bytes;
    bool fill;
    struct CUevent_st *event;
};

struct CUstream_st {
    int device;
    struct operation *first;
    bool runs;
};

struct CUevent_st {
    int device;
    bool pending;
    struct CUstream_st *stream;
};

static struct memory memories[MOST];
static int count;
static _Thread_local int current;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct CUstream_st *running, *streams[MOST];
static int nstreams;

static _Noreturn void wrong(const char *what) {
    fprintf(stderr, "CUDA played: %s\n", what);
    _exit(70);
}

static int devices(void) {
    const char *text = getenv("PLAYED_DEVICES");
    return text ? atoi(text) : 1;
}

/* ---- memory: not by the runtime's hooks, whose own memory may be hidden ---- */

static void protect(char *low, size_t bytes, int access) {
    syscall(SYS_mprotect, low, bytes, access);
}

static size_t pages(size_t bytes) {
    return (bytes + 4095) / 4096 * 4096;
}

static void *memory_new(size_t bytes, bool host, int access) {
    char *low = (char *)syscall(SYS_mmap, NULL, pages(bytes), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED || count == MOST || bytes == 0)
        wrong("no memory, or none was asked for");
    memset(low, 0xa5, bytes);
    protect(low, pages(bytes), access);
    memories[count++] = (struct memory){low, bytes, current, host};
    return low;
}

static struct memory *memory_of(const void *at, size_t bytes) {
    const char *low = at;
    for (int i = 0; i < count; ++i) {
        struct memory *m = &memories[i];
        if (m->device >= 0 && low >= m->low && low + bytes <= m->low + m->bytes)
            return m;
    }
    return NULL;
}

static void memory_end(void *low, bool host) {
    struct memory *m = memory_of(low, 0);
    if (!m || m->low != low || m->host != host || (!host && m->device != current))
        wrong("memory is freed that was not allocated so, or by a thread of another device");
    m->device = -1;
    syscall(SYS_munmap, low, pages(m->bytes));
}

/* A call that waits for the whole device: a kernel that waits for the host would never end. */
static void idle_check(const char *what) {
    if (running)
        wrong(what);
}

static int closed_access(void) {
    return getenv("PLAYED_DIRECT") ? PROT_READ | PROT_WRITE : PROT_NONE;
}

static void device_open(bool open) {
    for (int i = 0; i < count; ++i)
        if (memories[i].device >= 0 && !memories[i].host)
            protect(memories[i].low, pages(memories[i].bytes),
                    open ? PROT_READ | PROT_WRITE : closed_access());
}

/* ---- what of the host a kernel must not see: its large memory ---- */

static struct memory hidden[MOST];
static int nhidden;

static bool is_ours(const char *low, const char *high) {
    for (int i = 0; i < count; ++i)
        if (memories[i].device >= 0 && memories[i].low < high &&
            low < memories[i].low + pages(memories[i].bytes))
            return true;
    return false;
}

/* What is larger is a stack; static memory has the runtime's variables, as has a thread's. */
static bool may_hide(const char *low, const char *high) {
    const char here = 0, *own = (const char *)&current;
    bool stack = &here >= low && &here < high, thread = own >= low && own < high;
    return high - low >= LARGE && high - low < STACK && low > (const char *)sbrk(0) && !stack &&
           !thread && !is_ours(low, high);
}

static void host_find(void) {
    char line[512], access[8], name[256];
    unsigned long low, high;
    FILE *maps = fopen("/proc/self/maps", "r");
    nhidden = 0;
    while (maps && fgets(line, sizeof line, maps)) {
        int n = sscanf(line, "%lx-%lx %7s %*s %*s %*s %255s", &low, &high, access, name);
        if (n == 3 && !strcmp(access, "rw-p") && nhidden < MOST &&
            may_hide((char *)low, (char *)high))
            hidden[nhidden++] = (struct memory){(char *)low, high - low, 0, true};
    }
    if (maps)
        fclose(maps);
}

static void host_hide(bool hide) {
    for (int i = 0; i < nhidden; ++i)
        protect(hidden[i].low, hidden[i].bytes, hide ? PROT_NONE : PROT_READ | PROT_WRITE);
}

/* ---- streams ---- */

static void operation_run(struct operation *o) {
    if (o->event)
        o->event->pending = false;
    else if (o->fill)
        memset(o->to, 0, o->bytes);
    else
        memcpy(o->to, o->from, o->bytes);
}

/* Up to the event; NULL: all. */
static void stream_run(struct CUstream_st *stream, const struct CUevent_st *until) {
    device_open(true);
    while (stream->first && (!until || until->pending)) {
        struct operation *o = stream->first;
        operation_run(o);
        stream->first = o->next;
        free(o);
    }
    device_open(false);
}

static void stream_ask(struct CUstream_st *stream, struct operation what) {
    struct operation **last = &stream->first, *o = malloc(sizeof *o);
    if (!o || stream->device != current)
        wrong("a stream of another device than the thread's");
    while (*last)
        last = &(*last)->next;
    *o = what;
    *last = o;
}

/* ---- the calls ---- */

cudaError_t cudaGetDeviceCount(int *number) {
    *number = devices();
    return *number ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t cudaSetDevice(int number) {
    current = number;
    return number < devices() ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDevice(int *number) {
    *number = current;
    return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    if (flags != cudaStreamNonBlocking)
        wrong("a stream that waits for the default one");
    *stream = calloc(1, sizeof **stream);
    (*stream)->device = current;
    streams[nstreams++] = *stream;
    if (getenv("PLAYED_SAYS"))
        fprintf(stderr, "CUDA played: a stream of device %d of %d\n", current, devices());
    return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    *event = calloc(1, sizeof **event);
    (*event)->device = current;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    pthread_mutex_lock(&lock);
    event->pending = true;
    event->stream = stream;
    stream_ask(stream, (struct operation){.event = event});
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    pthread_mutex_lock(&lock);
    if (event->pending)
        stream_run(event->stream, event);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    idle_check("cudaHostAlloc while a kernel runs");
    pthread_mutex_lock(&lock);
    *memory = memory_new(bytes, true, PROT_READ | PROT_WRITE);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory) {
    idle_check("cudaFreeHost while a kernel runs");
    memory_end(memory, true);
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    idle_check("cudaMalloc while a kernel runs");
    pthread_mutex_lock(&lock);
    *memory = memory_new(bytes, false, closed_access());
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory) {
    idle_check("cudaFree while a kernel runs");
    memory_end(memory, false);
    return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    pthread_mutex_lock(&lock);
    struct memory *m = memory_of(to, bytes), *n = memory_of(from, bytes);
    bool in = kind == cudaMemcpyHostToDevice;
    if (!m || !n)
        wrong("a copy beside its memory, or of memory that is not pinned");
    if (m->host != !in || n->host != in || kind == cudaMemcpyDeviceToDevice)
        wrong("a copy in another direction than it says");
    stream_ask(stream, (struct operation){.to = to, .from = from, .bytes = bytes});
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t stream) {
    struct memory *m = memory_of(to, bytes);
    if (!m || m->host || value)
        wrong("memory is filled that is not the device's");
    pthread_mutex_lock(&lock);
    stream_ask(stream, (struct operation){.to = to, .bytes = bytes, .fill = true});
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

/* Goes on with the kernel as far as it comes. True: it has ended. */
static bool kernel_step(void) {
    device_open(true);
    host_hide(true);
    bool over = orrery_device_host.poll();
    host_hide(false);
    device_open(false);
    if (over)
        running = NULL;
    return over;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    pthread_mutex_lock(&lock);
    if (stream == running && !kernel_step())
        wrong("the host waits for a kernel that waits for the host");
    stream_run(stream, NULL);
    pthread_mutex_unlock(&lock);
    return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    if (stream->first)
        wrong("it is asked of a stream with copies");
    return stream == running && !kernel_step() ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    *value = attribute == cudaDevAttrMultiProcessorCount ? PROCESSORS : 0;
    return device < devices() ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t shared) {
    (void)kernel;
    *blocks = threads == ORRERY_LANES * ORRERY_WARPS_PER_BLOCK && shared == 0 ? BLOCKS_EACH : 0;
    return cudaSuccess;
}

cudaError_t cudaLaunchCooperativeKernel(const void *entry, dim3 grid, dim3 block, void **arguments,
                                        size_t shared, cudaStream_t stream) {
    struct orrery_kernel kernel = {.entry = entry};
    if (running || stream->device != current || shared)
        wrong("a launch beside another, or on another device");
    if (grid.x > PROCESSORS * BLOCKS_EACH)
        return cudaErrorCooperativeLaunchTooLarge;
    if (!grid.x || grid.y != 1 || grid.z != 1 || block.x != ORRERY_LANES * ORRERY_WARPS_PER_BLOCK)
        return cudaErrorInvalidConfiguration;
    for (int i = 0; i < nstreams; ++i)
        if (streams[i]->first)
            wrong("a kernel beside copies that nobody has waited for");
    host_find();
    running = stream;
    orrery_device_host.launch(&kernel, arguments[0], (long)grid.x * ORRERY_WARPS_PER_BLOCK);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *all) {
    *all = *unused = (size_t)1 << 36;
    return cudaSuccess;
}

cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope) {
    (void)target, (void)scope;
    return cudaSuccess;
}

cudaError_t cudaGetLastError(void) {
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "an error";
}
