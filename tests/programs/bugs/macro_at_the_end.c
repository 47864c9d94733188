/* emit: 1 */
/* A statement that ends with a macro's argument had no known end, and its loop no wavefront. */
#include <stdio.h>

#define VALUE(x) x
#define SPLIT(x)                                                                                   \
    x;                                                                                             \
    after += 1

static double a[90][90];

int main(void) {
    int after = 0;
    for (int i = 0; i < 90; ++i)
        for (int j = 0; j < 90; ++j)
            a[i][j] = (i * 31 + j * 17) % 101;
#pragma orrery parallel
    for (int i = 1; i < 89; ++i)
        for (int j = 1; j < 89; ++j)
            a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i - 1][j + 1]) / VALUE(VALUE(3.0));
#pragma orrery parallel
    for (int i = 1; i < 89; ++i)
        for (int j = 1; j < 89; ++j)
            a[i][j] = .5 * a[i - 1][j] + a[i][j - 1] * SPLIT(.25);
    double sum = 0;
    for (int i = 0; i < 90; ++i)
        for (int j = 0; j < 90; ++j)
            sum += a[i][j] * (i + j);
    printf("%a %d\n", sum, after);
    return 0;
}
