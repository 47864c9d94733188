/* ORR2307 */
struct model {
    double loss;
    long n;
};
static struct model *m;
void set(struct model *of) { m = of; }
void f(const float *x) {
#pragma orrery parallel unordered
    for (long i = 0; i < 100; ++i) {
        struct model *q = m;
        q->loss += x[i];
    }
}
