/*
 * CUDA: the one file that knows it. In a library of its own, which only programs with kernels that
 * nvcc compiled are linked with.
 */
#include "runtime/base/env.h"
#include "runtime/device/device.h"

#include "dsm/dsm.h"

#include <cuda_runtime.h>
#include <string.h>

/*
 * `kernels`, `copies`: streams that do not wait for each other, nor for the default one: a kernel
 * that runs may wait for what a copy brings. `number`: the device's. `staging`: pinned, for copies
 * of the host's memory, which is not: one half is on its way while the other is filled or emptied;
 * `moved`: it is there.
 */
static struct {
    int number;
    cudaStream_t kernels, copies;
    char *staging[2];
    cudaEvent_t moved[2];
} cuda;

enum { STAGING = 8 << 20 };

enum { THREADS = ORRERY_WARPS_PER_BLOCK * ORRERY_LANES };

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        dsm_fail(1, "the GPU fails: %s: %s", what, cudaGetErrorString(error));
}

/* Ranks of one host take its devices in turn; CUDA_VISIBLE_DEVICES says which there are. A rank
 * without one would have to run its rows on the CPU beside the others' GPUs: nobody knows yet how
 * many rows that should be. */
static void cuda_open(void) {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (cuda.kernels)
        return;
    if ((error != cudaSuccess || devices == 0) && dsm_ranks() > 1)
        dsm_fail(1,
                 "rank %d has no GPU: %s; ranks with and without one cannot run one loop together; "
                 "start one rank per GPU (on hosts that have them), or build it without -target "
                 "gpu",
                 dsm_rank(), error != cudaSuccess ? cudaGetErrorString(error) : "no device");
    if (error != cudaSuccess || devices == 0)
        dsm_fail(1,
                 "the program has loops for a GPU, and there is none: %s; orrery-cc -target "
                 "gpu-shim builds it for the host",
                 error != cudaSuccess ? cudaGetErrorString(error) : "no device");
    cuda.number = dsm_host_rank() % devices;
    check(cudaSetDevice(cuda.number), "cudaSetDevice");
    check(cudaStreamCreateWithFlags(&cuda.kernels, cudaStreamNonBlocking), "stream");
    check(cudaStreamCreateWithFlags(&cuda.copies, cudaStreamNonBlocking), "stream");
    for (int half = 0; half < 2; ++half) {
        void *memory = NULL;
        check(cudaHostAlloc(&memory, STAGING, cudaHostAllocDefault), "cudaHostAlloc");
        cuda.staging[half] = memory;
        check(cudaEventCreateWithFlags(&cuda.moved[half], cudaEventDisableTiming), "event");
    }
}

/* Of the ranks of this host, those that have the same device, this one included. */
static int sharers(void) {
    int devices = 1;
    check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
    int mine = dsm_host_rank() % devices;
    return (dsm_host_ranks() - mine + devices - 1) / devices;
}

static void *cuda_alloc(size_t bytes) {
    void *memory = NULL;
    cudaError_t error = cudaMalloc(&memory, bytes);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return NULL;
    }
    check(error, "cudaMalloc");
    return memory;
}

static void cuda_free(void *memory) {
    check(cudaFree(memory), "cudaFree");
}

static size_t piece_of(size_t bytes, size_t at) {
    return bytes - at < STAGING ? bytes - at : STAGING;
}

static void piece_move(char *to, const char *from, size_t bytes, int half,
                       enum cudaMemcpyKind kind) {
    check(cudaMemcpyAsync(to, from, bytes, kind, cuda.copies), "copy");
    check(cudaEventRecord(cuda.moved[half], cuda.copies), "copy");
}

/* Any thread copies when it touches what the host has not got, and threads begin at device 0. */
static void thread_begin(void) {
    check(cudaSetDevice(cuda.number), "cudaSetDevice");
}

/* By way of pinned memory, and returns when it is done: a copy of other memory may wait for the
 * device, on which a kernel waits for this copy. */
static void cuda_copy_in(void *device, const void *host, size_t bytes) {
    int half = 0;
    thread_begin();
    for (size_t at = 0; at < bytes; at += STAGING, half = !half) {
        check(cudaEventSynchronize(cuda.moved[half]), "copy to the device");
        memcpy(cuda.staging[half], (const char *)host + at, piece_of(bytes, at));
        piece_move((char *)device + at, cuda.staging[half], piece_of(bytes, at), half,
                   cudaMemcpyHostToDevice);
    }
    check(cudaStreamSynchronize(cuda.copies), "copy to the device");
}

/* The piece behind is on its way while this one is taken out. */
static void cuda_copy_out(void *host, const void *device, size_t bytes) {
    const char *from = device;
    int half = 0;
    thread_begin();
    if (bytes)
        piece_move(cuda.staging[0], from, piece_of(bytes, 0), 0, cudaMemcpyDeviceToHost);
    for (size_t at = 0; at < bytes; at += STAGING, half = !half) {
        size_t next = at + STAGING;
        if (next < bytes)
            piece_move(cuda.staging[!half], from + next, piece_of(bytes, next), !half,
                       cudaMemcpyDeviceToHost);
        check(cudaEventSynchronize(cuda.moved[half]), "copy from the device");
        memcpy((char *)host + at, cuda.staging[half], piece_of(bytes, at));
    }
}

static void cuda_fill_zero(void *device, size_t bytes) {
    check(cudaMemsetAsync(device, 0, bytes, cuda.copies), "cudaMemset");
    check(cudaStreamSynchronize(cuda.copies), "cudaMemset");
}

static void *cuda_shared_alloc(size_t bytes) {
    void *memory = NULL;
    check(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped | cudaHostAllocPortable),
          "cudaHostAlloc");
    return memset(memory, 0, bytes);
}

static void cuda_shared_free(void *memory) {
    check(cudaFreeHost(memory), "cudaFreeHost");
}

/* Warps that wait for each other have to be there at the same time. */
static long cuda_warps(const struct orrery_kernel *kernel) {
    int device, processors, blocks;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "multiprocessors");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel->entry, THREADS, 0),
          "occupancy");
    long most = (long)processors * blocks / sharers();
    return (most > 0 ? most : 1) * ORRERY_WARPS_PER_BLOCK;
}

/* A cooperative launch fails rather than starting a part of the blocks. */
static void cuda_launch(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                        long warps) {
    struct orrery_kernel_job copy = *job;
    void *arguments[] = {&copy};
    dim3 blocks = {(unsigned)(warps / ORRERY_WARPS_PER_BLOCK), 1, 1}, threads = {THREADS, 1, 1};
    check(cudaLaunchCooperativeKernel(kernel->entry, blocks, threads, arguments, 0, cuda.kernels),
          "launch");
}

static bool cuda_poll(void) {
    cudaError_t error = cudaStreamQuery(cuda.kernels);
    if (error != cudaErrorNotReady)
        check(error, "kernel");
    return error == cudaSuccess;
}

static void cuda_sync(void) {
    check(cudaStreamSynchronize(cuda.kernels), "kernel");
}

static void cuda_memory(size_t *unused, size_t *all) {
    check(cudaMemGetInfo(unused, all), "cudaMemGetInfo");
    size_t most = orrery_env()->gpu_memory ? (size_t)orrery_env()->gpu_memory << 20 : *all;
    size_t used = *all - *unused;
    *all = most < *all ? most : *all;
    *unused = used < *all ? *all - used : 0;
}

/*
 * Writes of a network card into the device's memory are not ordered with what a kernel that runs
 * reads, unless the device says so, or is asked to (GPUDirect RDMA design guide, "Synchronization
 * and memory ordering"; CUDA runtime API, cudaDeviceFlushGPUDirectRDMAWrites).
 */
static void cuda_arrived(void) {
    int ordering = 0, options = 0, supported = 0;
    thread_begin();
    check(cudaDeviceGetAttribute(&supported, cudaDevAttrGPUDirectRDMASupported, cuda.number),
          "GPUDirect");
    check(cudaDeviceGetAttribute(&ordering, cudaDevAttrGPUDirectRDMAWritesOrdering, cuda.number),
          "GPUDirect");
    if (!supported || ordering >= cudaGPUDirectRDMAWritesOrderingOwner)
        return;
    check(cudaDeviceGetAttribute(&options, cudaDevAttrGPUDirectRDMAFlushWritesOptions, cuda.number),
          "GPUDirect");
    if (!(options & cudaFlushGPUDirectRDMAWritesOptionHost))
        dsm_fail(1, "the GPU cannot say when a message has come into its memory; set "
                    "ORRERY_DEBUG=gpu_direct=0");
    check(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                             cudaFlushGPUDirectRDMAWritesToOwner),
          "GPUDirect");
}

const struct orrery_device orrery_device_cuda = {
    .name = "the GPU",
    .open = cuda_open,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .copy_in = cuda_copy_in,
    .copy_out = cuda_copy_out,
    .fill_zero = cuda_fill_zero,
    .warps = cuda_warps,
    .launch = cuda_launch,
    .poll = cuda_poll,
    .sync = cuda_sync,
    .shared_alloc = cuda_shared_alloc,
    .shared_free = cuda_shared_free,
    .memory = cuda_memory,
    .arrived = cuda_arrived,
};
