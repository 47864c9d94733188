/* same: 0 */
#include <stdio.h>
int main(void) {
    static int a[5000];
    int t = 1;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++) {
        a[i] = t;
        __typeof__(int[++t]) *q;
        (void)q;
    }
    printf("%d %d %d %d, %d\n", a[0], a[1], a[2], a[3], t);
}
