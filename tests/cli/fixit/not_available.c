/* ORR3101 */
void scale(float *a, float *b, const int *u, long n) {
#pragma orrery parallel relax(a), sync(steps = 4), unordered
    for (long i = 0; i < n; ++i)
        a[u[i]] += b[i];
}
