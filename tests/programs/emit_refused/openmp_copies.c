/* ORR2276 */
/* says: OpenMP gives each thread its own copies of variables here */
/* flags: -O2 -fopenmp */
static int first;
#pragma omp threadprivate(first)
void fill(int *restrict a, int n) {
    first = n;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = first;
}
