/* plain, by tree too */
/* which of -0.0 and 0.0 a minimum keeps is decided by the loop's order, also where lanes fold */
#include <math.h>
#include <stdio.h>

enum { N = 5000 };

static double x[N];

static void show(const char *name, double q) {
    printf("%s: %s%g\n", name, signbit(q) ? "-" : "+", fabs(q));
}

int main(void) {
    double q = 1, last = 1, most = -1, norm = 0;
    for (int i = 0; i < N; i++) {
        unsigned some = (unsigned)i * 2654435761u >> 16;
        x[i] = some % 37 > 1 ? 1.0 : some / 37 % 2 ? -0.0 : 0.0;
    }
#pragma orrery parallel target(gpu)
    for (int i = 0; i < N; i++)
        if (x[i] < q)
            q = x[i];
#pragma orrery parallel target(gpu)
    for (int i = 0; i < N; i++)
        if (x[i] <= last)
            last = x[i];
#pragma orrery parallel target(gpu)
    for (int i = 0; i < N; i++)
        most = most > -x[i] ? most : -x[i];
#pragma orrery parallel target(gpu)
    for (int i = 0; i < N; i++)
        if (fabs(x[i]) > norm)
            norm = fabs(x[i]);
    show("first", q);
    show("last", last);
    show("most", most);
    show("norm", norm);
    return 0;
}
