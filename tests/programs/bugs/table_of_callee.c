/* emit: 2 */
/* A constant table of a called function needs no name outside of it. */
#include <stdio.h>

static float weight(int i) {
    static const float table[4] = {1, 2, 4, 8};
    return table[i % 4];
}

static void weigh(float *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = a[i] * weight(i) + 1;
}

static void count(int *restrict hist, const int *restrict kind, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        hist[kind[i]] += (int)weight(kind[i]);
}

int main(void) {
    static float a[100];
    static int hist[8], kind[100];
    for (int i = 0; i < 100; ++i)
        a[i] = (float)i, kind[i] = i * 5 % 8;
    weigh(a, 100);
    count(hist, kind, 100);
    for (int i = 0; i < 100; ++i)
        printf("%g %d\n", a[i], hist[i % 8]);
    return 0;
}
