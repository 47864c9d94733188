/* What the device's memory does: bytes read and written per second by a copy from device to device. */
#include <cuda_runtime.h>
#include <stdio.h>

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
    printf("%.1f %s\n", 10 * 2.0 * (double)bytes / milliseconds / 1e6, what.name);
    return 0;
}
