/* expect: serial ORR2217 14:13 `exit(` */
/* a number behind the end of the program might choose an element outside of its structure */
#include <stdlib.h>

struct row {
    float v[4];
    int n;
};

void check(struct row *rows, const int *which, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        if (which[n] < 0)
            exit(1);
        rows[n].v[which[n]] = n;
    }
}
