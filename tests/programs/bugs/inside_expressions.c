/* emit: 1 */
/* What statement expressions of GNU C set, free and move was not seen by those who ask
 * what a variable holds where a loop begins. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static int a[N + 8], b[N + 8], c[N + 8];

/* Not parallel: from -1000 on the loop reads what it writes. */
static void start(void) {
    int *p = a + 1000, x = 0;
    int one = ({
        x = -1000;
        1;
    });
#pragma orrery parallel
    for (; x < 1000; ++x)
        p[x] = p[x + 1000] + one;
}

/* Not parallel: p is no memory of its own. */
static void fresh(void) {
    int *p = malloc(8);
    int three = ({
        free(p);
        p = b + 1;
        3;
    });
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        p[i] = b[i] + three;
}

/* Not parallel: k begins with 700. */
static void moving(void) {
    int k = 0, one = ({
                   k = 700;
                   1;
               });
#pragma orrery parallel
    for (int i = 0; i < 1400; ++i) {
        c[k] = c[i] + one;
        k++;
    }
}

static unsigned sum(const int *v) {
    unsigned s = 0;
    for (int i = 0; i < N + 8; ++i)
        s = s * 31 + (unsigned)v[i];
    return s;
}

int main(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        a[i] = i * 7 % 97;
        b[i] = i * 5 % 11;
        c[i] = i % 9;
    }
    start();
    printf("%u\n", sum(a));
    fresh();
    printf("%u\n", sum(b));
    moving();
    printf("%u\n", sum(c));
    return 0;
}
