/* A row ends the program; the numbers of those behind it choose no element of what is summed into. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000, BAD = 1500 };
static int which[N];
static double x[N], y[N];
static long count[8];

int main(void) {
    for (int i = 0; i < N; i++) {
        which[i] = i <= BAD ? i % 8 : 8 + i * 50;
        x[i] = i == BAD ? -1 : i;
    }
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        if (x[i] < 0) {
            printf("bad row %d\n", i);
            exit(3);
        }
        count[which[i]]++;
        y[i] = x[i];
    }
    printf("%ld %g\n", count[3], y[5]);
    return 0;
}
