/* expect: serial ORR2217 8:13 `exit(` */
/* a number behind the end of the program might choose an element of memory of unknown size that the copies of sums do not have */
#include <stdlib.h>
void check(long sum[8], const int *restrict which, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (which[n] < 0)
            exit(1);
        sum[which[n]] += n;
    }
}
