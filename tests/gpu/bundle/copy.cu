/*
 * What the device can do: bytes read and written per second by a copy from device to device, and
 * additions and multiplications of floats, one by one as the kernels here have them (-fmad=false).
 */
#include <cuda_runtime.h>
#include <stdio.h>

enum { ROUNDS = 1 << 14, CHAINS = 8 };

static __global__ void compute(float *out, float by) {
    float x[CHAINS];
    for (int i = 0; i < CHAINS; ++i)
        x[i] = (float)(threadIdx.x + i);
    for (int n = 0; n < ROUNDS; ++n)
#pragma unroll
        for (int i = 0; i < CHAINS; ++i)
            x[i] = x[i] * by + by;
    for (int i = 1; i < CHAINS; ++i)
        x[0] += x[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = x[0];
}

/* Gflop/s. */
static double arithmetic(float *out, int blocks) {
    cudaEvent_t start, end;
    float milliseconds = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    for (int i = 0; i < 2; ++i) {
        cudaEventRecord(start);
        compute<<<blocks, 256>>>(out, .5f);
        cudaEventRecord(end);
    }
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, start, end);
    return 2.0 * ROUNDS * CHAINS * 256 * blocks / milliseconds / 1e6;
}

int main(void) {
    size_t bytes = (size_t)1 << 30;
    char *from, *to;
    cudaEvent_t start, end;
    float milliseconds = 0;
    struct cudaDeviceProp what;
    if (cudaGetDeviceProperties(&what, 0) != cudaSuccess || cudaMalloc(&from, bytes) != cudaSuccess ||
        cudaMalloc(&to, bytes) != cudaSuccess) {
        fprintf(stderr, "no GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
    cudaEventRecord(start);
    for (int i = 0; i < 10; ++i)
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&milliseconds, start, end);
    double flops = arithmetic((float *)to, 8 * what.multiProcessorCount);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        fprintf(stderr, "the GPU fails: %s\n", cudaGetErrorString(cudaGetLastError()));
        return 1;
    }
    printf("%.1f %.0f %s\n", 10 * 2.0 * (double)bytes / milliseconds / 1e6, flops, what.name);
    return 0;
}
