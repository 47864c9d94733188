/* same: 4 */
/* Copies of functions that are handed the file's variables: functions below their callers, the whole
 * array's size, names that a function has for something else, structures, a pointer, functions in
 * functions' arguments, one that is called from elsewhere, too. */
#include <stdio.h>
#include <string.h>

enum { N = 400, K = 12 };
static double x[N][K], y[N];
static double t[K], wide[K][3];
static struct seen {
    double first;
    int least;
} seen[2];
static const double *row;
static double total;
static int counted;
static void spread(int i);
static double norm(int i);
double outside(double t, double total) {
    return t * 2 + total;
}

static void all(void) {
    total = 0;
    counted = 0;
    for (int pass = 0; pass < 2; ++pass) {
#pragma orrery parallel unordered
        for (int i = 0; i < N; ++i) {
            row = x[i];
            spread(i);
            y[i] += norm(i);
        }
    }
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        memset(t, 0, sizeof t);
        spread(i);
        y[i] += norm(i) + t[i % K];
    }
}
static double half(double v) {
    return v / 2;
}
static void note(int i) {
    int t = i % 3;
    counted += t;
    total += half(outside(t, 2) + i);
}
static void spread(int i) {
    seen[0].least = i % 5, seen[0].first = x[i][0];
    seen[1].least = 1, seen[1].first = 2;
    memset(wide, i % 7, sizeof wide);
    for (int k = 0; k < K; ++k) {
        wide[k][0] = x[i][k], wide[k][1] = k, wide[k][2] = 1;
        t[k] = wide[k][0] * wide[k][1] + wide[k][2];
    }
}
static double norm(int i) {
    double s = seen[i % 2].least * seen[i % 2].first;
    for (int k = 0; k < K; k++)
        s += t[k] * t[k] + wide[k][2]; /* a comment */
    return s;
}
static void sums(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        note(i);
}
static double twice(double v) {
    t[0] = v;
    t[1] = t[0] + v;
    return t[1];
}
static void arguments(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        y[i] += twice(half(twice(x[i][1]) + twice(twice(1))));
}
int main(void) {
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < K; ++k)
            x[i][k] = (i * 7 + k * 3) % 11;
    all();
    sums();
    arguments();
    spread(3);
    double s = norm(3) + t[2] + row[1];
    for (int i = 0; i < N; ++i)
        s += y[i];
    printf("%.17g %.17g %g %d\n", s, total, seen[1].first, counted);
    return 0;
}
