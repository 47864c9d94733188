/* emit: 1 */
#include <stdio.h>

static int x[800];

/* Of two marked loops the outer one is distributed. */
int main(void) {
#pragma orrery parallel
    for (long i = 0; i < 100; ++i) {
#pragma orrery parallel
        for (long j = 0; j < 8; ++j)
            x[i * 8 + j] = (int)(i - j);
    }
    long sum = 0;
    for (int i = 0; i < 800; ++i)
        sum = (sum * 31 + x[i]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
