/* expect: serial ORR3134 5:5 `sum[i + 1]` */
/* says: add touches `sum[i + 1]`, which calls for other elements may touch, too */
static float sum[1000];
static void add(float *w, float u, long i) {
    sum[i + 1] += u;
    *w += u;
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
