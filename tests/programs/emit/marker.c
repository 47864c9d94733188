/* emit: 2 */
#include <stdio.h>
#define ORRERY_PARALLEL(...)

static long n = 100;
static int x[100];

int main(void) {
    long sum = 0;
    ORRERY_PARALLEL()
    for (long i = 0; i < n; ++i)
        x[i] = (int)i;
    ORRERY_PARALLEL(unordered) for (long i = 0; i < n; ++i) sum += x[i];
    printf("%ld\n", sum);
    return 0;
}
