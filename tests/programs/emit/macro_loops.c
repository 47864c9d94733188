/* emit: 15 */
/* Several loops out of one use of a macro, and marks in macros. */
#include <stdio.h>
#include <string.h>

enum { N = 300 };
#define PARALLEL _Pragma("orrery parallel")
#define UNORDERED(...) _Pragma("orrery parallel unordered")
#define FILL(a, k) { PARALLEL for (long i = 0; i < N; ++i) (a)[i] = i * (k); PARALLEL for (long i = 0; i < N; ++i) total += (a)[i]; }
#define TRAIN(w, h) do { \
        PARALLEL for (int i = 0; i < N; ++i) w[i] += h[i]; \
        UNORDERED(w, h) for (int i = 0; i < N; ++i) h[i] -= w[i] * .25; /* a comment */ \
    } while (0)
#define FIRST_OF(a, ...) (a)
#define DEFINE(T, ...) static T sum_##T(const T *x, long n) { T s = 0; PARALLEL for (long i = 0; i < n; ++i) s += x[i] - FIRST_OF(__VA_ARGS__, 0); return s; }
#define FIRST(a) for (int i = 0; i < N; ++i) a[i]=-a[i]; puts(#a "\"q\"" " \\"); for (int i = 1; i < N; ++i) a[i] += a[i - 1]
#define NESTED(a, b) FIRST(a); TRAIN(a, b)
#define EACH(i, n) PARALLEL for (int i = 0; i < (n); i++) {

DEFINE(double, 1, 2)
DEFINE(long, 3)

static double x[N], y[N];

int main(void) {
    static long z[N];
    double total = 0;
    FILL(x,
         3) /* the use goes over lines */
    FILL(y, 2)
    for (int pass = 0; pass < 3; pass++)
        TRAIN(x, y);
    if (total > 0)
        TRAIN(y, x);
#pragma orrery parallel
    FIRST(x);
    NESTED(y, x);
    PARALLEL
    for (int i = 0; i < N; i++)
        z[i] = i;
    EACH(i, N) z[i] += 2 * __LINE__; }
    printf("%g %g %g %g %ld %d\n", total, x[17], y[11], sum_double(x, N), sum_long(z, N), __LINE__);
    return 0;
}
