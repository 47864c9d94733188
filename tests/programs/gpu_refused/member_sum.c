/* expect: ORR2465 8 */
struct stats {
    double sum;
};
void add(struct stats *s, const double *x, long n) {
    /* A pointer's member. */
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i)
        s->sum += x[i];
}
