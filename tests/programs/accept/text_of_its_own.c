/* expect: parallel independent ordered
 * carried: none
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are printed into memory of the iteration, taken apart and read again. */
void round_all(const double *restrict x, double *restrict y, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        char text[64], copy[64];
        snprintf(text, sizeof text, "%ld %.3f", i, x[i]);
        strcpy(copy, text);
        y[i] = strtod(copy + strcspn(copy, " "), NULL) + (strchr(text, '-') ? 1 : 0);
    }
}
