/* expect: serial ORR3130 11:16 `uniform()` */
/* says: relax(seed) would give workers the same numbers */
static unsigned seed;
static double uniform(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed / 4294967296.0;
}
void f(double *x, long n) {
#pragma orrery parallel unordered relax(seed)
    for (long i = 0; i < n; ++i)
        x[i] = uniform();
}
