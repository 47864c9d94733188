/* expect: serial ORR3134 5:5 `*(kept + i + 1)` */
/* says: which calls for other elements may touch, too */
static float kept[100];
static void add(float *w, float u, long i) {
    *(kept + i + 1) += u;
    *w += u * *(kept + i);
}
void f(float *w, const float *g, const int *j, long n) {
#pragma orrery parallel unordered buffer(w : add)
    for (long i = 0; i < n; ++i)
        w[j[i]] -= g[i] * w[j[i]];
}
