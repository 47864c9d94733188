/* ORR2305 */
/* says: a type declared inside `f` */
#include <stdlib.h>
void f(long n) {
    struct pair {
        float a, b;
    } *p = malloc(n * sizeof *p);
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        p[i].a = p[i].b;
    free(p);
}
