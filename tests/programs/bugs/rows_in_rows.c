/* emit: 2 */
/* Rows of `size` in rows of `width`, both known to the run alone: what it checks has to be what
 * such data have, and not that the longer rows fit into the shorter ones. */
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 6, STEPS = 9, HEADS = 4, SIZE = 5, WIDTH = 3 * HEADS * SIZE };

static void spread(float *restrict d, const float *restrict x, int batch, int steps, int heads,
                   int size, int width, int from) {
#pragma orrery parallel
    for (int b = 0; b < batch; b++)
        for (int t = 0; t < steps; t++)
            for (int h = 0; h < heads; h++)
                for (int s = 0; s <= t; s++)
                    for (int i = 0; i < size; i++)
                        d[b * steps * width + s * width + h * size + i + from * 2] += x[t] * .5f;
}

static void spread_rows(float *restrict d, const float *restrict x, int steps, int heads, int size,
                        int width, int from) {
#pragma orrery parallel
    for (int h = 0; h < heads; h++)
        for (int t = 0; t < steps; t++)
            for (int i = 0; i < size; i++)
                d[t * width + h * size + i] = d[t * width + h * size + i] * .5f + x[t + from];
}

int main(void) {
    float *d = calloc(BATCH * STEPS * WIDTH, sizeof *d), *x = malloc((STEPS + 1) * sizeof *x);
    double sum = 0;
    for (int t = 0; t <= STEPS; ++t)
        x[t] = (float)(t % 5) - 1.5f;
    spread(d, x, BATCH, STEPS, HEADS, SIZE, WIDTH, HEADS * SIZE);
    spread_rows(d, x, STEPS, HEADS, SIZE, WIDTH, 1);
    for (int i = 0; i < BATCH * STEPS * WIDTH; ++i)
        sum = sum * .999 + d[i];
    printf("%.9g\n", sum);
    free(d);
    free(x);
    return 0;
}
