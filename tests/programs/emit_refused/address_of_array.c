/* ORR2308 */
#include <string.h>
long f(void) {
    long x[100];
#pragma orrery parallel
    for (long i = 0; i < 100; ++i)
        (*&x)[i] = 1;
    return x[5];
}
