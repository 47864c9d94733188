/* expect: serial ORR2216 18:9 `grow(` */
/* the called function changes which memory the table is */
#include <stdlib.h>

static float *table;
static long capacity;

static void grow(long index) {
    if (index >= capacity) {
        capacity = 2 * index + 1;
        table = realloc(table, capacity * sizeof *table);
    }
}

void pass(const int *u, const float *v, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        grow(u[n]);
        table[u[n]] = v[n];
    }
}
