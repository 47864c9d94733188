/* ORR2305 */
/* says: `p` has a type without a name */
#include <stdlib.h>
void f(long n) {
    struct {
        float a, b;
    } *p = malloc(n * sizeof *p);
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        p[i].a = p[i].b;
    free(p);
}
