/* same: 0 */
#include <stdio.h>
static int a[5000];
int main(void) {
    int t = 1;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++) {
        a[i] = t;
        int(*q)[++t];
        (void)q;
    }
    printf("%d %d %d, %d | ", a[0], a[1], a[4999] - 4997, t);
    t = 1;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++) {
        a[i] = t;
        (void)(int(*)[++t])0;
    }
    printf("%d %d %d, %d | ", a[0], a[1], a[4999] - 4997, t);
    t = 1;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++) {
        a[i] = t;
        typedef int T[++t];
    }
    printf("%d %d %d, %d\n", a[0], a[1], a[4999] - 4997, t);
}
