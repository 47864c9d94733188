/* emit: 2 */
/* A structure whose members are an iteration's own was
 * handed on as another one, which nobody had set. */
#include <stdio.h>

struct point {
    double x, y;
};

static double norm(const double *restrict q, struct point p) {
    return q[0] * p.x * p.x + q[1] * p.y * p.y;
}

static struct point norms(const double *restrict q, const double *restrict x, double *restrict y,
                          int n) {
    struct point w = {0, 0};
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        w.x = x[i], w.y = 2 * x[i];
        y[i] = norm(q, w);
    }
    return w;
}

static struct point copies(const double *restrict x, struct point *restrict y, int n) {
    struct point w = {0, 0};
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        w.x = x[i], w.y = 3 * x[i];
        struct point t = w;
        y[i] = t;
        y[i].x += w.y;
    }
    return w;
}

int main(void) {
    enum { N = 500 };
    static double x[N], y[N], q[2] = {3, 5};
    static struct point p[N];
    for (int i = 0; i < N; ++i)
        x[i] = i * 7 % 31;
    struct point last = norms(q, x, y, N), end = copies(x, p, N);
    printf("%g %g %g %g\n", last.x, last.y, end.x, end.y);
    for (int i = 0; i < N; ++i)
        printf("%g %g %g\n", y[i], p[i].x, p[i].y);
    return 0;
}
