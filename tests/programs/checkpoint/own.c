/* Memory that nothing outside of main ever sees: compilers would like to keep it in registers. */
#include <stdio.h>
#include <stdlib.h>
static double w[100];
static long counter;
static double acc[4];
int main(void) {
    long *own = malloc(3 * sizeof *own);
    own[0] = own[1] = own[2] = 0;
    static int inner_seen;
    for (int pass = 0; pass < 6; ++pass) {
        static long hidden;
#pragma orrery parallel
        for (int i = 0; i < 100; ++i)
            w[i] += i;
        counter += pass;
        own[pass % 3] += counter;
        hidden += own[0];
        inner_seen ^= pass;
        acc[pass & 3] += hidden;
        if (pass == 5)
            printf("end %ld %ld %ld %ld %ld %d %g\n", counter, own[0], own[1], own[2], hidden,
                   inner_seen, acc[1] + w[9]);
    }
    return 0;
}
