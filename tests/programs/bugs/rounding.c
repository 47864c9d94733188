/* emit: 3 */
/* Threads and ranks computed with the environment that they were born with: another direction of
 * rounding was the program's thread's alone, and what their arithmetic raised, and the errno of
 * their logarithms, nobody saw. What the runtime asks of the kernel set errno, too. */
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 4000, KEYS = 7 };

static double a[N], b[N], sums[KEYS];

static void step(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = a[i] / 3 + b[i] * .1;
}

/* Rounding shows in the order: keys of one row each. */
static void add(const int *key, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        sums[key[i]] = sums[key[i]] * .75 + a[i] / 7;
}

static void logs(double *x, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        x[i] = log(x[i]);
}

static unsigned long bits(const double *x, int n) {
    unsigned long all = 0, one;
    for (int i = 0; i < n; ++i) {
        memcpy(&one, &x[i], sizeof one);
        all = all * 31 + one;
    }
    return all;
}

/* The last element and the first one belong to different threads and ranks. */
static void left(double first, double last) {
    static double x[N];
    for (int i = 0; i < N; ++i)
        x[i] = 1 + i;
    x[0] = first, x[N - 1] = last;
    errno = EEXIST;
    feclearexcept(FE_ALL_EXCEPT);
    logs(x, N);
    int error = errno, raised = fetestexcept(FE_DIVBYZERO | FE_INVALID);
    printf("%d%d%d %d%d\n", error == EEXIST, error == EDOM, error == ERANGE,
           (raised & FE_DIVBYZERO) != 0, (raised & FE_INVALID) != 0);
}

int main(void) {
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static int key[N];
    for (int i = 0; i < N; ++i)
        a[i] = i * .37, b[i] = i * 1.3, key[i] = i * i % KEYS;
    for (int pass = 0; pass < 8; ++pass) {
        fesetround(modes[pass % 4]);
        step(N);
        add(key, N);
        printf("%d %lx %lx\n", fegetround() == modes[pass % 4], bits(a, N), bits(sums, KEYS));
    }
    fesetround(FE_TONEAREST);
    left(1, 1);
    left(-1, 1);
    left(1, -1);
    left(0, 1);
    left(1, 0);
    left(0, -1);
    return 0;
}
