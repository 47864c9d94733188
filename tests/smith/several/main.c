#include "rows.h"

#include <stdio.h>

static double rows[ROWS * WIDTH];
static int keys[ROWS];

int main(void) {
    rows_fill(rows, keys, ROWS);
    int hits[WIDTH] = {0};
    for (int i = 0; i < ROWS; i++)
        hits[keys[i] % WIDTH]++;
    printf("%.17g\n", rows_norm(rows, keys, ROWS));
    for (int k = 0; k < WIDTH; k++)
        printf("%d %.17g\n", hits[k], rows[k]);
    return 0;
}
