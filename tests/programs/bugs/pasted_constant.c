/* emit: 2 */
/* Floating-point constants that macros paste together
 * stand nowhere in the text: such loops were refused. */
#include <stdio.h>

#define SINGLE(x) x##f
#define POWER(x, e) x##e

static float level[200];
static double scaled[200];

int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 200; ++i) {
        float before = SINGLE(0.1);
        for (int j = 0; j < 4; ++j)
            before = before * SINGLE(0.7) + SINGLE(1.5e-3) * (float)i;
        level[i] = before;
    }
#pragma orrery parallel
    for (int i = 0; i < 200; ++i)
        scaled[i] = level[i] * POWER(1.25, e2);
    for (int i = 0; i < 200; ++i)
        printf("%a %a\n", level[i], scaled[i]);
    return 0;
}
