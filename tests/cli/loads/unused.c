/* Keys of what is loaded that no iteration uses, and that would lie outside: the serial loop. */
#include <orrery.h>
#include <stdio.h>
#include <stdlib.h>

static void users(const struct orrery_rating *r, long count, float *W, int times) {
    ORRERY_PARALLEL(unordered)
    for (long n = 0; n < count; ++n)
        for (int j = 0; j < times; ++j)
            W[(long)r[n].row] = W[(long)r[n].row] * .5f + r[n].value;
}

int main(void) {
    struct orrery_ratings data;
    if (orrery_load_ratings("r.csv", &data) != 0)
        return 3;
    float *few = calloc(5, sizeof *few), *W = calloc((size_t)data.rows, sizeof *W);
    users(data.entry, data.count, few, 0);
    users(data.entry, data.count, W, 2);
    users(data.entry, data.count, few, 0);
    users(data.entry, data.count, W, 1);
    double sum = 0;
    for (long i = 0; i < data.rows; ++i)
        sum = sum * .99 + W[i];
    printf("%.17g\n", sum);
    return 0;
}
