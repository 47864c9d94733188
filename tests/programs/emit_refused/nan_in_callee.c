/* ORR2307 */
struct range {
    double low, high;
};

static void widen(struct range *r, double x) {
    r->low = r->low < x ? r->low : x;
}

double lowest(const double *x, long n) {
    struct range r = {1e9, -1e9};
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        widen(&r, x[i]);
    return r.low;
}
