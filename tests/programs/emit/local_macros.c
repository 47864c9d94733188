/* emit: 5 */
/* Macros that a function defines for itself. */
#include <stdio.h>
#define SCALE 3
#define SCALED(x) ((x) * SCALE)

static float a[200], b[200];

static void outer(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        a[i] = SCALED(b[i]);
}

static void own(int n) {
#define ROW(i)                                                                                     \
    (a + (i))
#define LAST 5
#undef SCALE
#define SCALE 7
#pragma orrery parallel
    for (int i = LAST; i < n - LAST; i++)
        *ROW(i) += SCALED(b[i]) + LAST;
#undef ROW
#undef SCALE
#define SCALE 9
#pragma orrery parallel
    for (int i = LAST; i < n; ++i) {
        a[i] += SCALED(b[i]);
    }
#undef SCALE
#define SCALE 3
}

static void after(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        b[i] += SCALED(a[i]) * .125f;
}

/* The array has another name in the body. */
static void renamed(float *x, int n) {
    float *y = x;
#define n 100
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        y[i] += 1;
#undef n
    x[n] += 1;
}

int main(void) {
    double sum = 0;
    for (int i = 0; i < 200; i++)
        b[i] = (float)(i % 17);
    for (int pass = 0; pass < 2; pass++) {
        outer(200);
        own(190);
        after(150);
        renamed(a, 150);
    }
    for (int i = 0; i < 200; i++)
        sum = sum * .99 + a[i] + b[i];
    printf("%.9g\n", sum);
    return 0;
}
