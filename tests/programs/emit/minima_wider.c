/* emit: 3 */
/* minima and maxima of narrow numbers in wider ones, from starts that the narrow type does not hold
 */
#include <stdio.h>

enum { N = 5000 };

static int darkest(const unsigned char *gray, int n, int start, double *range) {
    int least = start, at = -1, most = -1;
    double highest = -5;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (gray[i] < least) {
            least = gray[i];
            at = i;
        }
        if (gray[i] > most)
            most = gray[i];
        highest = highest > gray[i] ? highest : gray[i];
    }
    *range = highest * 1000 + least + most * .5;
    return at;
}

static long signs(const short *x, int n, long start) {
    long least = start;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (x[i] < least)
            least = x[i];
    return least;
}

/* Two numbers that differ may be one as a float. */
static float rounded(const int *x, int n) {
    float most = -1e9f;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (x[i] > most)
            most = x[i];
    return most;
}

int main(void) {
    static unsigned char gray[N];
    static short x[N];
    static int wide[N];
    double range;
    for (int i = 0; i < N; ++i) {
        gray[i] = (unsigned char)(i * 37 % 199 + 20);
        x[i] = (short)(i * 1001 % 3001 - 1500);
        wide[i] = 16777216 + i * 7 % 3;
    }
    int starts[] = {256, 1 << 20, 0, -3, 100};
    for (int s = 0; s < 5; ++s) {
        int at = darkest(gray, N, starts[s], &range);
        printf("%d %g %ld\n", at, range, signs(x, N, starts[s] * 1000L));
    }
    printf("%d %g\n", darkest(gray, 0, 256, &range), range);
    printf("%.9g\n", rounded(wide, N));
    return 0;
}
