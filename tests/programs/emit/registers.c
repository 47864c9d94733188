/* emit: 2 */
#include <stdio.h>

static int a[100], b[100];

static int last_of(register int n, register const int *from) {
    register int last = -1;
    register int i;
    register double sum = 0;
#pragma orrery parallel
    for (i = 0; i < n; i++) {
        last = from[i] + 1;
        a[i] = last;
        sum += last;
    }
#pragma orrery parallel
    for (i = n - 1; i >= 0; i--) {
        last = from[i] * 2;
        b[i] = last + a[i];
    }
    return last + (int)sum + i;
}

int main(void) {
    int from[100], mix = 0;
    for (int i = 0; i < 100; i++)
        from[i] = i * 7 % 31;
    mix = last_of(100, from);
    for (int i = 0; i < 100; i++)
        mix = (mix * 31 + a[i] + b[i]) % 1000003;
    printf("%d\n", mix);
    return 0;
}
