/* expect: serial ORR2213 8:9 `qsort(` */
/* calls back through a pointer */
#include <stdlib.h>

void order(int *a, long rows, int K, int (*compare)(const void *, const void *)) {
#pragma orrery parallel unordered
    for (long n = 0; n < rows; ++n)
        qsort(a + n * K, K, sizeof *a, compare);
}
