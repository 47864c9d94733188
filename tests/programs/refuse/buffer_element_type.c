/* expect: serial ORR3133 8:35 `buffer(w : add)` */
/* says: its first parameter is no `float *` */
static void add(double *w, double u, long i) {
    (void)i;
    *w += u;
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
