/* In front of the MPI library (LD_PRELOAD): one that takes a device's memory. The host's is. */
int MPIX_Query_cuda_support(void);

int MPIX_Query_cuda_support(void) {
    return 1;
}
