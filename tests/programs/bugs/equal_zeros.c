/* evaluated: 13 */
/* Of equal numbers, -0.0 and 0.0, a minimum or maximum keeps the one that its text keeps: the first
 * with `<`, the last with `<=` and with `q < x ? q : x`; fmin and fmax what they give of the two,
 * in this order. NaNs are passed by as the text passes them by. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000, BINS = 5 };

static double x[N], least[BINS], most[BINS];
static float f[N];
static int key[N];
struct range {
    double least, most;
} ranges[BINS];

static void show(const char *name, double q) {
    printf("%s: %s%g\n", name, signbit(q) ? "-" : "+", fabs(q));
}

static void look(int turn) {
    for (int i = 0; i < N; i++) {
        unsigned some = (unsigned)(i + 1000 * turn) * 2654435761u >> 16;
        int zero = some % 37 > 1 ? 1 : some / 37 % 2 * 3;
        x[i] = zero == 0 ? -0.0 : zero == 3 ? 0.0 : 1.0;
        f[i] = zero == 3 ? -0.0f : zero == 0 ? 0.0f : -1.0f;
        key[i] = i % BINS;
    }
    x[0] = 1;
    f[0] = -1;
    x[N - 1] = 2;
    for (int b = 0; b < BINS; b++) {
        least[b] = b % 2 ? 0.0 : -0.0;
        most[b] = -1;
        ranges[b].least = 1;
        ranges[b].most = b % 2 ? -0.0 : 0.0;
    }
    double q = 1, le = 1, w = -1, kept = 1, ge = -1, c = 1, d = 1, start = -0.0, nan = NAN,
           one = 0.0;
    float m = -2, n = -2;
    long double wide = 1;
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        q = q < x[i] ? q : x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] <= le)
            le = x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        w = w > -x[i] ? w : -x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (kept > x[i])
            kept = x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        ge = -x[i] >= ge ? -x[i] : ge;
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        c = fmin(c, x[i]);
        d = fmin(x[i], d);
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        m = fmaxf(m, f[i]);
        n = fmaxf(f[i], n);
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] + 1 < start)
            start = x[i] + 1;
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        nan = fmin(x[i], nan);
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        wide = wide < x[i] ? wide : x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        if (x[i] <= least[key[i]])
            least[key[i]] = x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        most[key[i]] = most[key[i]] >= -x[i] ? most[key[i]] : -x[i];
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        ranges[key[i]].least = ranges[key[i]].least < x[i] ? ranges[key[i]].least : x[i];
        if (-x[i] >= ranges[key[N - 1 - i]].most)
            ranges[key[N - 1 - i]].most = -x[i];
    }
    show("q < x ? q : x", q);
    show("x <= q", le);
    show("w > -x ? w : -x", w);
    show("q > x", kept);
    show("-x >= q ? -x : q", ge);
    show("fmin(q, x)", fabs(c));
    show("fmin(x, q)", fabs(d));
    show("fmaxf(q, x)", fabs(m));
    show("fmaxf(x, q)", fabs(n));
    show("never less", start);
    show("fmin from a NaN", fabs(nan));
    show("long double", (double)wide);
    for (int b = 0; b < BINS; b++) {
        show("bins <=", least[b]);
        show("bins >=", most[b]);
        show("least", ranges[b].least);
        show("most", ranges[b].most);
    }
}

int main(void) {
    for (int turn = 0; turn < 6; turn++)
        look(turn);
    return 0;
}
