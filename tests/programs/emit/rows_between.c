/* emit: 1 */
/* rows from one field of a record to before another, and empty ones between them */
#include <stdio.h>

struct part {
    int from, to;
};

enum { PARTS = 300, ALL = 4000 };

static void scale(const struct part *part, int n, double *x) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int k = part[i].from; k < part[i].to; ++k)
            x[k] = x[k] * .5 + i;
}

int main(void) {
    static struct part part[PARTS];
    static double x[ALL];
    int at = ALL;
    for (int i = 0; i < PARTS; ++i) {
        int length = i * 7 % 13;
        part[i] = (struct part){at - length, at};
        at -= length + i % 2;
    }
    for (int i = 0; i < ALL; ++i)
        x[i] = i % 31;
    scale(part, PARTS, x);
    scale(part, PARTS, x);
    double sum = 0;
    for (int i = 0; i < ALL; ++i)
        sum = sum * .99 + x[i];
    printf("%d %.17g\n", at > 0, sum);
    return 0;
}
