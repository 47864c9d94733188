/* emit: 3 */
/* What the loop needs was printed between a function and an attribute of it that stands in a
 * conditional, where no declaration may. */
#include <stdio.h>

#define N 1000
static double x[N];
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
__attribute__((noinline))
#endif
void twice(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        x[i] = 2 * i;
}

typedef double number;
#if 1
#ifdef OTHERWISE
extern
#else
static
#endif
    inline
#else
extern
#endif
    number
    sum(const number *y) {
    number s = 0;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        s += y[i];
    return s;
}
#pragma GCC diagnostic pop

#if 0
static int halve(void) {
#else
typedef int count;
static count halve(void) {
#endif
#pragma orrery parallel
    for (count i = 0; i < N; ++i)
        x[i] /= 2;
    return N;
}

int main(void) {
    twice();
    printf("%g", sum(x));
    printf(" %d", halve());
    printf(" %g\n", sum(x));
    return 0;
}
