/* expect: ORR2463 8 */
struct model {
    float *w;
};
void add(struct model *m, const float *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        m->w[i] += x[i];
}
