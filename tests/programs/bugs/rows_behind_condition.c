/* emit: 2, one rank */
/* Rows that a condition keeps the loop from do not have to exist. */
#include <stdio.h>

struct row {
    unsigned x, y;
};

static struct row near[64], far[64];

static void some_read(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        near[i].y += i > 9 ? near[i].x : far[i * 4].x;
}

static void some_written(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        near[i].x = near[i].x * 3u + 1u;
        if (i < 16)
            far[i * 4].y = near[i].x;
    }
}

int main(void) {
    for (unsigned i = 0; i < 64; ++i)
        near[i] = (struct row){i, i * 3}, far[i] = (struct row){i * 7, i};
    some_read(60);
    some_written(60);
    for (int i = 0; i < 64; ++i)
        printf("%u %u %u\n", near[i].x, near[i].y, far[i].y);
    return 0;
}
