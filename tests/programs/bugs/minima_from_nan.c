/* emit: 3 */
/* fmin and fmax forget a NaN that they begin with,
 * in the elements of an array and in members, too. */
#include <math.h>
#include <stdio.h>

enum { N = 1000 };

struct range {
    double least;
    float most;
    long count;
};

static double x[N], least[8], kept[8];
static int k[N];
static struct range range[8];

int main(void) {
    for (int i = 0; i < N; ++i) {
        x[i] = i * 37 % 1000 - 500;
        k[i] = i * 7 % 6;
    }
    for (int j = 0; j < 8; ++j) {
        least[j] = kept[j] = NAN;
        range[j] = (struct range){NAN, NAN, 0};
    }
    kept[3] = 7;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        least[k[i]] = fmin(least[k[i]], x[i]);
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (x[i] < kept[k[i]])
            kept[k[i]] = x[i];
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        range[k[i]].least = fmin(range[k[i]].least, x[i]);
        range[k[i]].most = fmaxf(range[k[i]].most, (float)x[i]);
        range[k[i]].count++;
    }
    for (int j = 0; j < 8; ++j)
        printf("%g %g %g %g %ld\n", fabs(least[j]), fabs(kept[j]), fabs(range[j].least),
               fabs((double)range[j].most), range[j].count);
    return 0;
}
