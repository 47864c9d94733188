/* emit: 2 */
/* What the loop needs was printed into the function in front, where that one begins in the use of a
 * macro and ends in another's. */
#include <stdio.h>

#define BEGIN_TEST(name)                                                                           \
    static void name(void) {                                                                       \
        puts(#name);                                                                               \
        {
#define END_TEST                                                                                   \
    }                                                                                              \
    }
#define ALSO_END(text)                                                                             \
    puts(text);                                                                                    \
    }                                                                                              \
    }

static int map[256];

BEGIN_TEST(first)
puts("in it");
END_TEST

static void fill(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        map[i] = 3 * i;
}

BEGIN_TEST(second) {
    puts("in a block");
}
ALSO_END("{")

static void twice(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        map[i] *= 2;
}

int main(void) {
    first();
    second();
    fill(256);
    twice(200);
    printf("%d %d\n", map[199], map[255]);
    return 0;
}
