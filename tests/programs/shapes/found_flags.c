/* Flags and last places: set where something holds, `&&` and `||` over all, bool and int, the last index that fits.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: same
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 3000;
    double *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = (i * 37 % 101) / 10.0;
    for (int pass = 0; pass < 4; pass++) {
        double limit = 4 * pass;
        int all = 5, any = 7, found = 0, last = -1, first_pass = pass == 0;
        bool finite = true, some = false, both = true;
        const char *word = "none";
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            all = all && x[i] < limit;
            any = x[i] > limit || any;
            finite = finite && isfinite(x[i]) && x[i] >= 0;
            some |= x[i] > limit + 3;
            both &= x[i] <= limit;
        }
        printf("%d %d %d %d %d\n", all, any, finite, some, both);
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            if (x[i] > limit && !first_pass) {
                found = 1;
                last = i;
            } else if (x[i] == 4.5)
                word = "exactly";
        }
        printf("%d %d %s\n", found, last, word);
        int clean = 1;
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                if (x[(i + k) % n] > limit + 2) clean = 0;
        printf("%d\n", clean);
        int none = 3;
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            if (x[i] > 100) none = none || x[i] > 200;
        printf("%d\n", none);
    }
    return 0;
}
