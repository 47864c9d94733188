/* ORR2276 */
/* says: there are directives of OpenMP that they may come to */
/* flags: -O1 -fopenmp */
static void row(int *a, int n) {
#pragma omp for
    for (int k = 0; k < 8; ++k)
        a[k] = n;
}
void fill(int (*restrict a)[8], int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        row(a[i], i);
}
