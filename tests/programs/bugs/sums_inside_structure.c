/* emit: 2 */
/* Sums of one type into the arrays of a structure were taken for one number; single ones are. */
#include <stdio.h>

struct layer {
    long W[3][5], b[3];
    long all;
};

static struct layer sum, other;

int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        for (int j = 0; j < 3; ++j) {
            sum.b[j] += i * j;
            for (int k = 0; k < 5; ++k)
                sum.W[j][k] += i % (j + k + 1);
        }
    }
#pragma orrery parallel
    for (int i = 0; i < 100; ++i)
        other.all += i;
    for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 5; ++k)
            printf("%ld %ld\n", sum.W[j][k], sum.b[j]);
    printf("%ld\n", other.all);
    return 0;
}
