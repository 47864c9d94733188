/* emit: 3 */
/* The body names the function that it stands in, and the line. */
#include <assert.h>
#include <stdio.h>

enum { N = 900 };
static int a[N], b[N];

static void named(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] += (int)sizeof __func__ + __func__[i % 5] + (int)sizeof(__FUNCTION__);
}

static void of_a_line(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        b[i] += __LINE__ * (int)sizeof __FILE__;
        b[i] ^= __PRETTY_FUNCTION__[1];
    }
}

static void asserted(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        assert(a[i] > 0);
        b[i] += a[i] % 7;
    }
}

int main(void) {
    unsigned sum = 0;
    named(N);
    of_a_line(N);
    asserted(N);
    for (int i = 0; i < N; ++i)
        sum = sum * 31 + (unsigned)a[i] * 7 + (unsigned)b[i];
    printf("%u\n", sum);
    return 0;
}
