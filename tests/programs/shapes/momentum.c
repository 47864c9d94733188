/* One weight with momentum: a running value that is no sum.
 * loop: serial ORR2201
 */
#include <stdio.h>

int main(void) {
    double x[100], y[100], w = 0, velocity = 0;
    for (int i = 0; i < 100; i++) x[i] = (i % 10) * .1, y[i] = 3 * x[i];
#pragma orrery parallel unordered
    for (int i = 0; i < 100; i++) {
        double g = (w * x[i] - y[i]) * x[i];
        velocity = 0.9 * velocity - 0.1 * g;
        w += velocity;
    }
    printf("%.8f\n", w);
    return 0;
}
