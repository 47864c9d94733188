/* Keys as they come: equal ones in a record, negative ones, some that a record does not use, hot rows. */
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
enum { ROWS = 300, RECORDS = 3000, SEVERAL = 4 };
struct record {
    int key[SEVERAL];
    short more, kind;
};
static double table[2 * ROWS], *middle = table + ROWS, other[ROWS];

static long pass(const struct record *r, long n) {
    long uses = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        double sum = 0;
        for (int s = 0; s < SEVERAL; ++s)
            sum += middle[r[i].key[s]];
        if (r[i].kind > 1) {
            other[r[i].more] += sum * .01;
            uses += 1;
        }
        for (int s = 0; s < SEVERAL; ++s)
            middle[r[i].key[s]] = middle[r[i].key[s]] * .75 + sum * .01 + other[r[i].more] * .001;
    }
    return uses;
}

/* The row that most iterations write, each once, counted as it is said. */
static void hottest(const struct record *r) {
    int times[2 * ROWS] = {0}, most = 0;
    for (int i = 0; i < RECORDS; ++i)
        for (int s = 0; s < SEVERAL; ++s) {
            int before = 0;
            for (int u = 0; u < s; ++u)
                before += r[i].key[u] == r[i].key[s];
            times[r[i].key[s] + ROWS] += before == 0;
        }
    for (int k = 0; k < 2 * ROWS; ++k)
        most = times[k] > times[most] ? k : most;
    printf("hottest-row middle[%d] iterations %d of %d critical-share %.4f\n", most - ROWS,
           times[most], RECORDS, (double)times[most] / RECORDS);
}

int main(void) {
    static struct record r[RECORDS];
    unsigned long s = 7;
#define NEXT (s = s * 6364136223846793005ul + 1442695040888963407ul, (long)(s >> 33))
    for (int i = 0; i < RECORDS; ++i) {
        for (int k = 0; k < SEVERAL; ++k)
            r[i].key[k] = (int)(NEXT % 8   ? NEXT % (2 * ROWS) - ROWS
                                : NEXT % 4 ? -ROWS + (int)(NEXT % 3)
                                           : 5);
        if (i % 5 == 0)
            r[i].key[1] = r[i].key[3] = r[i].key[0];
        r[i].more = (short)(NEXT % ROWS);
        r[i].kind = (short)(NEXT % 4);
    }
    for (int i = 0; i < 2 * ROWS; ++i)
        table[i] = i;
    long uses = 0;
    for (int t = 0; t < 3; ++t) {
        hottest(r);
        uses += pass(r, RECORDS);
        for (int i = t; i < RECORDS; i += 50) /* other keys in the next pass */
            r[i].key[2] = (int)(NEXT % ROWS);
    }
    printf("%lx %lx %ld\n", digest(table, sizeof table), digest(other, sizeof other), uses);
    return 0;
}
