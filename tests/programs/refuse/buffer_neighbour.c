/* expect: serial ORR3134 5:19 `w` */
/* says: add touches more than the element that it is given */
static void add(float *w, float u, long i) {
    if (i > 0)
        *w += u * w[-1];
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
