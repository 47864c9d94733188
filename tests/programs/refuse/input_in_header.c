/* expect: serial ORR2223 6:5 `while` */
/* says: its condition reads input */
#include <stdio.h>
void add(FILE *f, double *w, int k) {
#pragma orrery parallel unordered
    while (fscanf(f, "%d", &k) == 1)
        w[k] += 1;
}
