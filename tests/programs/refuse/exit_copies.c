/* expect: serial ORR2217 10:13 `exit(` */
/* a row behind the end of the program might lead anywhere, also for memset */
#include <stdlib.h>
#include <string.h>

void check(float **row, const int *bad, int count) {
#pragma orrery parallel unordered
    for (int n = 0; n < count; ++n) {
        if (bad[n])
            exit(1);
        memset(row[n], 0, 4 * sizeof(float));
    }
}
