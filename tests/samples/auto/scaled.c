#include <stdio.h>

static double x[20000], y[20000];

int main(void) {
    for (int i = 0; i < 20000; ++i)
        x[i] = i % 31;
    for (int pass = 0; pass < 300; ++pass)
        for (int i = 0; i < 20000; ++i)
            y[i] += .5 * x[i] / (1 + y[i]);
    double sum = 0;
    for (int i = 0; i < 20000; ++i)
        sum += y[i];
    printf("%.17g\n", sum);
}
