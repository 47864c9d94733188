/* Least and greatest values with their places where many are equal: the first one, the last one, with a filter,
 * two places in the text, both at once, and an empty loop that sets nothing.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: same
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct place { short row; int column; char tag; };

static double far_from(const double *x, int i, double center) {
    double d = x[i] - center;
    return d * d;
}

int main(void) {
    int n = 5000, *c = malloc(n * sizeof *c);
    double *x = malloc(n * sizeof *x);
    float *f = malloc(n * sizeof *f);
    for (int i = 0; i < n; i++) {
        x[i] = (i * 7919 % 97) - 40;
        f[i] = (float)(i * 31 % 50) - 25;
        c[i] = i * 13 % 7;
        if (i % 711 == 3) x[i] = NAN;
    }
    for (int pass = 0; pass < 3; pass++) {
        double low = pass == 2 ? -40 : 1e30, high = -INFINITY;
        int first = -1, last = -2, count = pass == 1 ? 0 : n;
        struct place where = {0, 0, 'a'};
#pragma orrery parallel
        for (int i = 0; i < count; i++) {
            if (x[i] < low) {
                first = i;
                low = x[i];
                where = (struct place){(short)(i / 100), i % 100, (char)('a' + i % 26)};
            }
            if (high <= x[i])
                last = i, high = x[i];
        }
        printf("%g %d %g %d %d %d %c\n", low, first, high, last, where.row, where.column, where.tag);

        float worst = -1;
        int worst_at = -1, worst_class = -1;
#pragma orrery parallel unordered
        for (int i = 0; i < count; ++i) {
            if (c[i] == 2 || c[i] == 5) {
                if (fabs(f[i]) >= worst && i % 3) {
                    worst = fabs(f[i]);
                    worst_class = c[i];
                    worst_at = i;
                }
            }
        }
        printf("%g %d %d\n", worst, worst_at, worst_class);

        int least = INT_MAX, at = -1;
#pragma orrery parallel
        for (int i = 0; i < count / 2; i++) {
            int a = c[i] + i % 3, b = c[n - 1 - i] + i % 2;
            if (least > a) { least = a; at = i; }
            if (least > b) { least = b; at = n - 1 - i; }
        }
        printf("%d %d\n", least, at);

        double near = DBL_MAX;
        int nearest = -1;
#pragma orrery parallel
        for (int i = 0; i < count; i++)
            if (far_from(x, i, 2.5) < near) {
                near = far_from(x, i, 2.5);
                nearest = i;
            }
        printf("%g %d\n", near, nearest);

        unsigned char best = 0;
        int best_at = 0;
#pragma orrery parallel
        for (int i = count - 1; i >= 0; i--) {
            unsigned char v = (unsigned char)(c[i] * 40);
            if (v > best)
                best = v, best_at = i;
        }
        printf("%d %d\n", best, best_at);
    }
    return 0;
}
