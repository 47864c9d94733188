/* same: 0 */
#include <stdio.h>
int main(void) {
    static unsigned a[5000];
    unsigned t = 1;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++) {
        (void)__builtin_constant_p(t = i);
        a[i] = t;
        t = t * 3 + 1;
    }
    printf("%u %u %u %u\n", a[0], a[1], a[2], a[3]);
}
