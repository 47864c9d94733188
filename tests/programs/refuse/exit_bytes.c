/* expect: serial ORR2217 10:13 `exit(` */
/* a number behind the end of the program might be more bytes than there are */
#include <stdlib.h>
#include <string.h>
void check(float *out, const int *length, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        char own[8] = {0};
        if (length[n] < 0)
            exit(1);
        memset(own, 1, length[n]);
        out[n] = own[0];
    }
}
