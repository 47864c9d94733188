/*
 * Two marked loops that print, one of them inside of a loop, one in a function.
 * loop: parallel independent
 * loop: parallel independent
 * ranks: 2
 */
#include <stdio.h>
static double x[3000], y[3000];
static void show(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        y[i] = x[i] * 2;
        if (i % 500 == 0)
            printf("show %d %g\n", i, y[i]);
    }
}
int main(void) {
    for (int i = 0; i < 3000; ++i)
        x[i] = i;
    for (int j = 0; j < 3; ++j) {
        printf("pass %d\n", j);
#pragma orrery parallel
        for (int i = 0; i < 2000; ++i) {
            x[i] += y[i] + j;
            if (i % 700 == 0)
                printf("%d %d %.3f\n", j, i, x[i]);
        }
        show(3000);
    }
    return 0;
}
