/* emit: 3 */
/* The loop's bounds are made of a variable that its body moves: they say what it holds where the
 * loop begins, whatever it holds in an iteration. */
#include <stdio.h>

static double a[4000], b[4000];

static void show(const char *name) {
    double sum = 0;
    for (int i = 0; i < 4000; ++i)
        sum = sum * .999 + a[i];
    printf("%s %.17g\n", name, sum);
}

static void shifted(int c, int n, double *restrict x) {
#pragma orrery parallel
    for (int i = n - c; i > 0; i--) {
        x[c] = b[c + 20] + i;
        c++;
    }
}

/* The header sets c behind what it reads of it. */
static void set_behind(int c, int n) {
    int i;
#pragma orrery parallel
    for (i = c, c = 1000; i < 1000 + n; i++) {
        a[c] = a[c] * .5 + i;
        c++;
    }
}

static void front(int d, int n) {
    int c = d + 700;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[c] = a[c] + b[d + 2] + i;
        c++;
        d++;
    }
}

int main(void) {
    for (int i = 0; i < 4000; ++i)
        a[i] = 2 * i, b[i] = i;
    shifted(10, 900, a);
    show("shifted");
    set_behind(3, 40);
    set_behind(900, 40);
    show("set behind");
    front(5, 600);
    show("front");
    return 0;
}
