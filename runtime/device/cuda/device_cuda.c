/*
 * CUDA: the one file that knows it. In a library of its own, which only programs with kernels that
 * nvcc compiled are linked with.
 */
#include "runtime/device/device.h"
#include "runtime/env.h"

#include "dsm/dsm.h"

#include <cuda_runtime.h>

enum { THREADS = ORRERY_WARPS_PER_BLOCK * ORRERY_LANES };

static void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess)
        dsm_fail(1, "the GPU fails: %s: %s", what, cudaGetErrorString(error));
}

/* Ranks of one host take its devices in turn; CUDA_VISIBLE_DEVICES says which there are. */
static void cuda_open(void) {
    int devices = 0;
    cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0)
        dsm_fail(1,
                 "the program has loops for a GPU, and there is none: %s; orrery-cc -target "
                 "gpu-shim builds it for the host",
                 error != cudaSuccess ? cudaGetErrorString(error) : "no device");
    check(cudaSetDevice(dsm_host_rank() % devices), "cudaSetDevice");
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

static void cuda_copy_in(void *device, const void *host, size_t bytes) {
    if (bytes)
        check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice), "copy to the device");
}

static void cuda_copy_out(void *host, const void *device, size_t bytes) {
    if (bytes)
        check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost), "copy from the device");
}

static void cuda_fill_zero(void *device, size_t bytes) {
    check(cudaMemset(device, 0, bytes), "cudaMemset");
}

/* Warps that wait for each other have to be there at the same time. */
static long cuda_warps(const struct orrery_kernel *kernel) {
    int device, processors, blocks;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "multiprocessors");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel->entry, THREADS, 0),
          "occupancy");
    return (long)processors * blocks * ORRERY_WARPS_PER_BLOCK;
}

/* A cooperative launch fails rather than starting a part of the blocks. */
static void cuda_launch(const struct orrery_kernel *kernel, const struct orrery_kernel_job *job,
                        long warps) {
    struct orrery_kernel_job copy = *job;
    void *arguments[] = {&copy};
    dim3 blocks = {(unsigned)(warps / ORRERY_WARPS_PER_BLOCK), 1, 1}, threads = {THREADS, 1, 1};
    check(cudaLaunchCooperativeKernel(kernel->entry, blocks, threads, arguments, 0, NULL),
          "launch");
}

static void cuda_sync(void) {
    check(cudaDeviceSynchronize(), "kernel");
}

static void cuda_memory(size_t *unused, size_t *all) {
    check(cudaMemGetInfo(unused, all), "cudaMemGetInfo");
    size_t most = orrery_env()->gpu_memory ? (size_t)orrery_env()->gpu_memory << 20 : *all;
    size_t used = *all - *unused;
    *all = most < *all ? most : *all;
    *unused = used < *all ? *all - used : 0;
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
    .sync = cuda_sync,
    .memory = cuda_memory,
};
