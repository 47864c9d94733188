/* emit: 2 */
/* A switch jumps to where a temporary of the loop before it is read;
 * behind the switch it is set. */
#include <stdio.h>

enum { N = 1000 };
static int a[N], b[N], c[N];

static int jump(int kind) {
    int value = -1;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        value = a[i] * 3;
        b[i] = value + 1;
    }
    switch (kind) {
    case 1:
        goto done;
    default:
        break;
    }
    value = 0;
done:
    return value;
}

static int inner(int kind) {
    int value = -1;
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        value = a[i] - 7;
        c[i] = value * 2;
    }
    switch (kind) {
    case 1:
        switch (c[0]) {
        default:
            goto done;
        }
    default:
        value = 0;
    }
    value += 5;
done:
    return value;
}

int main(void) {
    for (int i = 0; i < N; ++i)
        a[i] = i * 37 % 101;
    for (int kind = 0; kind < 2; ++kind)
        printf("%d %d\n", jump(kind), inner(kind));
    printf("%d %d\n", b[N - 1], c[N / 2]);
    return 0;
}
