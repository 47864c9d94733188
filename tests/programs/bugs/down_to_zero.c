/* same: 1 */
/* `j-- > 0` of an unsigned number was taken for a loop that never runs, and
 * what it writes for scratch space of an iteration: nothing was written. */
#include <stdio.h>

static unsigned c[300], w[8] = {5, 5, 5, 5, 5, 5, 5, 5};

static void down(int n, int k) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (unsigned j = (unsigned)k; j-- > 0;)
            c[i * 4 + (int)j] = 7 + (unsigned)i + j;
}

static unsigned once(int n, int least) {
    unsigned sum = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        unsigned j = 3;
        do
            sum = sum * 3 + w[j];
        while (--j > (unsigned)least);
        w[3] = (unsigned)i;
    }
    return sum;
}

int main(void) {
    down(60, 4), down(50, 7);
    for (int i = 0; i < 300; ++i)
        printf("%u ", c[i]);
    printf("%u\n", once(50, -1));
}
