/* ORR2307 */
struct model {
    double loss;
    long n;
};
void f(struct model *m, const float *x) {
#pragma orrery parallel unordered
    for (long i = 0; i < 100; ++i) {
        struct model *q = m;
        q->loss += x[i];
    }
}
