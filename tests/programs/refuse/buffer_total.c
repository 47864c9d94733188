/* expect: serial ORR3134 6:5 `total` */
/* says: add touches `total`, which calls for other elements may touch, too */
static float total;
static void add(float *w, float u, long i) {
    (void)i;
    total += u;
    *w += u;
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
