/* expect: serial ORR2231 10:16 `a[0]` */
/* j begins at i - 1, below zero for the first i: as large as can be, and past n */
#include <stddef.h>
void sum(size_t n, long *restrict a, long *restrict s) {
#pragma orrery parallel
    for (size_t i = 0; i < n; ++i) {
        for (size_t j = i - 1; j != i; ++j)
            if (j >= n)
                a[0] = 7;
        s[i] = a[0] + (long)i;
    }
}
