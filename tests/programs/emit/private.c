/* emit: 2 */
#include <stdio.h>

int main(void) {
    static double out[500];
    int i, j, last = -1;
    double t;
    double v, w;
#pragma orrery parallel
    for (i = 0; i < 500; ++i) {
        t = 0;
        for (j = 0; j < 4; ++j)
            t += i * j;
        out[i] = t;
        last = i * 2;
    }
    printf("%d %d\n", i, last);
#pragma orrery parallel
    for (i = 0; i < 500; ++i) {
        v = i;
        w = out[i];
        out[i] = v + w;
    }
    for (t = 0, i = 0; i < 500; ++i)
        t += out[i];
    printf("%g\n", t);
    return 0;
}
