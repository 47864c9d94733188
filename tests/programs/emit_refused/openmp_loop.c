/* ORR2276 */
/* says: `fill` has directives of OpenMP */
/* flags: -fopenmp */
void fill(int *restrict a, int n) {
#pragma omp parallel for
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = i;
}
