/* emit: 2 */
/* Lines that end in a carriage return and a line feed, and definitions of several lines: what
 * follows the first one is a part of them. */
#include <stdio.h>

#define SET(x) \
    do { \
        (x) = 1; \
    } while (0)

#define BLOCK(x) \
    { \
        (x) = 2; \
    }

static int a[100];

int main(void) {
#define MORE(x) \
    ((x) + \
     1)
#pragma orrery \
    parallel
    for (int i = 0; i < 100; ++i) {
        a[i] = MORE(i) \
            + 2;
    }
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        const char *s = "a\
b";
        a[i] += s[i % 3];
    }
    SET(a[3]);
    BLOCK(a[4])
    for (int i = 0; i < 100; ++i)
        printf("%d\n", a[i]);
    return 0;
}
