/* emit: 4 */
#include <stdio.h>
static int a[64], b[64], c[64];
struct pair { int x; } pairs[64]; __attribute__((noinline)) static void
both(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = i;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) { b[i] = a[i] * 2; } c[0] = b[3];
}

/* A comment that belongs to the function. */
__attribute__((unused))
static int
split(int n, int k)
{
    for (int pass = 0; pass < k; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < n; ++i)
            c[i] += a[i] + pass;
    }
    return c[5];
}

int main(void) {
    int sum = 0;
    both(64);
    sum = split(64, 3);
#pragma orrery parallel
    for (int i = 0; i < 64; ++i)
        pairs[i].x = a[i] + b[i] + c[i];
#pragma orrery serial
    for (int i = 0; i < 64; ++i)
        sum = sum * 3 % 1009 + pairs[i].x;
    printf("%d\n", sum);
    return 0;
}
