/* expect: serial ORR2217 9:13 `exit(` */
/* the program may end in the middle, of a loop that counts down */
#include <stdlib.h>

void check(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = count - 1; n >= 0; --n) {
        if (in[n] < 0)
            exit(1);
        out[n] = in[n];
    }
}
