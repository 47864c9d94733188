/* expect: serial ORR2217 9:13 `exit(` */
/* a row behind the end of the program might lead anywhere */
#include <stdlib.h>

void check(float **row, const int *bad, int count) {
#pragma orrery parallel unordered
    for (int n = 0; n < count; ++n) {
        if (bad[n])
            exit(1);
        float *own = row[n];
        own[0] = n;
    }
}
