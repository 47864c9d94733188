/* emit: 5 */
#include <stdio.h>

#define SQUARE(x) ((x) * (x))
#define EACH_LIMIT 300
#define FAST 1
static int x[EACH_LIMIT], y[EACH_LIMIT];

static int one_liner(void) { int last = 4; /* a brace { in a comment */
#pragma orrery parallel
    for (int i = 0; i < EACH_LIMIT; ++i) x[i] = SQUARE(i) % 1009; /* behind */
    last = x[7]; return last; }

static void skipping(int limit) {
#pragma orrery parallel
    for (int i = 0; i < EACH_LIMIT; ++i) {
        /* "quoted" { */
        int v = x[i];
        if (v > limit)
            continue;
        if (v % 2) {
            y[i] = -v;
            continue;
        }
        y[i] = v;
    }
}

static void conditional(void) {
#pragma orrery parallel
    for (int i = 0; i < EACH_LIMIT; ++i) {
#if FAST
        y[i] += 1;
#else
        y[i] += 2; }
#endif
#ifndef FAST
        {
#endif
        x[i] = \
            y[i] * 2;
    }
}

static void choose(int way) {
    if (way)
#pragma orrery parallel
        for (int i = 0; i < 10; ++i)
            x[i] = -1;
    else
        x[20] = 7;
    switch (way) {
    case 1:
#pragma orrery parallel
        for (int i = 30; i < 40; ++i)
            switch (i % 3) {
            case 0:
                x[i] = 5;
                break;
            default:
                x[i] = 6;
            }
        break;
    default:
        x[21] = 8;
    }
}

int main(void) {
    long sum = one_liner();
    skipping(500);
    conditional();
    choose(1), choose(0);
    for (int i = 0; i < EACH_LIMIT; ++i)
        sum = (sum * 31 + x[i] + y[i]) % 1000003;
    printf("%ld line %d\n", sum, __LINE__);
    return 0;
}
