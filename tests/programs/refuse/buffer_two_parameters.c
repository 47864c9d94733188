/* expect: serial ORR3133 7:35 `buffer(w : add)` */
/* says: it does not have three parameters */
static void add(float *w, float u) {
    *w += u;
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
