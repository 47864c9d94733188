/* The best of structures by one of their members: built in the body, through a pointer, and beside its place.
 * loop: parallel reduction
 * loop: parallel reduction
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
struct split { int feature; double gain, threshold; };
int main(void) {
    int n = 5000; double *x = malloc(n * sizeof *x); struct split *c = malloc(n * sizeof *c);
    for (int i = 0; i < n; i++) { x[i] = (i * 7919 % 997) / 10.0; c[i] = (struct split){i, (i * 31 % 499) - 7, i / 2.0}; }
    struct split best = {-1, -1e9, 0}, low = c[0], other = {-5, 1e9, 1};
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        struct split s = {i, x[i] * 2, x[i] / 3};
        if (s.gain > best.gain) best = s;
    }
#pragma orrery parallel
    for (int i = 1; i < n; i++) { const struct split *p = &c[i]; if (p->gain <= low.gain) low = *p; }
    int at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) if (c[i].gain < other.gain) { other = c[i]; at = i; }
    printf("%d %g %g; %d %g; %d %d\n", best.feature, best.gain, best.threshold, low.feature, low.gain, other.feature, at);
    return 0;
}
