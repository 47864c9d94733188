/* expect: serial ORR2112 12:23 `st` */
/* rand_r reads the state that it writes: the array is no scratch space of an iteration. */
#include <stdlib.h>

void draw(int *restrict y, int n);

static unsigned st[1] = {42};

void draw(int *restrict y, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] = rand_r(st) % 1000;
}
