/* expect: serial ORR2201 16:24 `w` */
/* A structure whose members the iteration sets is read whole: by the function that is given it. */
struct point {
    double x, y;
};

static double norm(const double *restrict q, struct point p) {
    return q[0] * p.x * p.x + q[1] * p.y * p.y;
}

struct point norms(const double *restrict q, const double *restrict x, double *restrict y, int n) {
    struct point w = {0, 0};
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {

        y[i] = norm(q, w);
        w.x = x[i], w.y = 2 * x[i];
    }
    return w;
}
