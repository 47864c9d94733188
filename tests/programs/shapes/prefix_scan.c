/* Prefix sums in three spellings: by a running variable, by the element before, and into row pointers.
 * loop: serial ORR2275
 * loop: serial ORR2275
 * loop: serial ORR2275
 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 50;
    double *p = malloc(n * sizeof *p), *cdf = malloc(n * sizeof *cdf), run = 0;
    int *len = malloc(n * sizeof *len), *ptr = malloc((n + 1) * sizeof *ptr);
    for (int i = 0; i < n; i++) p[i] = 1 + i % 4, len[i] = i % 6;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        run += p[i];
        cdf[i] = run;
    }
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        p[i] += p[i - 1];
    ptr[0] = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ptr[i + 1] = ptr[i] + len[i];
    printf("%.3f %.3f %d\n", cdf[n - 1], p[n - 1], ptr[n]);
    return 0;
}
