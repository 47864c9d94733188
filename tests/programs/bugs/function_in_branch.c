/* emit: 1 */
/* What the loop needs was printed behind the #else whose #if a macro's function stands in. */
#include <stdio.h>

#define N 1000
static double x[N];

#define OWN(type)                                                                                  \
    static type twice(type one) {                                                                  \
        return 2 * one;                                                                            \
    }

#ifdef N
OWN(double)
#else
#ifdef M
#endif
OWN(int)
#endif

int main(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        x[i] = twice(i);
    double all = 0;
    for (int i = 0; i < N; ++i)
        all += x[i];
    printf("%g\n", all);
    return 0;
}
