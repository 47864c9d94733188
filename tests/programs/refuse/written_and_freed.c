/* expect: serial ORR2104 10:9 `a[i]` */
/* nothing reads `a`, here or later: a copy per worker would hide that iterations 0 and 1 meet in it */
#include <stdlib.h>

int made(int n) {
    int *a = malloc(sizeof *a * (size_t)n);
    if (!a) return 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = i;
        if (i == 1)
            a[0] = 1;
    }
    free(a);
    return 0;
}
