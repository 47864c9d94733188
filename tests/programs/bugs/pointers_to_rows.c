/* same: 5 */
/* Variables whose types stand around their names: what the last iteration leaves in them, how they
 * move, and what iterations read of them. */
#include <stdio.h>

enum { COUNT = 1000 };

static int cells[COUNT][10], sums[COUNT];

static int plus(int x) {
    return x + 1;
}

static int minus(int x) {
    return x - 1;
}

int main(void) {
    int(*row)[10], (*start)[10] = cells, (*end)[10] = cells + COUNT, (*list[COUNT])[10];
    int (*last)(int) = plus;
    int (*const pair[2])(int) = {plus, minus};
#pragma orrery parallel
    for (int i = 0; i < COUNT; i++) {
        row = (int(*)[10]) & cells[i][0];
        (*row)[3] = i;
    }
    printf("%d\n", (int)(row - cells));
#pragma orrery parallel
    for (int i = 0; i < COUNT; i++) {
        if (cells[i][3] % 7 == 0)
            last = pair[i % 2];
        sums[i] = cells[i][3];
    }
    printf("%d\n", last(sums[5]));
#pragma orrery parallel
    for (int(*p)[10] = cells; p < end; p++)
        (*p)[4] = (*p)[3] * 2;
#pragma orrery parallel
    for (int i = 0; i < COUNT; i++) {
        sums[i] += (*start)[4];
        start++;
    }
    for (int i = 0; i < COUNT; i++)
        list[i] = &cells[i * 7 % COUNT];
#pragma orrery parallel
    for (int i = 0; i < COUNT; i++)
        sums[i] += (*list[i])[4];
    long all = 0;
    for (int i = 0; i < COUNT; i++)
        all = (all * 31 + sums[i]) % 1000003;
    printf("%ld %d\n", all, (int)(start - cells));
    return 0;
}
