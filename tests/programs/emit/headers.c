/* emit: 7 */
#include <stddef.h>
#include <stdio.h>

#pragma GCC diagnostic ignored "-Wsign-compare"
#define N 100
static int a[N + 1], b[N + 1], c[N + 1], d[N + 1], e[N + 1], f[N + 1], g[N + 1];

static void down(int n) {
#pragma orrery parallel
    for (int i = n - 1; i >= 0; --i)
        a[i] = i * 3;
}

static int stepped(int n) {
    int i;
#pragma orrery parallel
    for (i = 2; i <= n; i += 3)
        b[i] = i + 1;
    return i;
}

static size_t unequal(size_t n) {
    size_t i = 7;
#pragma orrery parallel
    for (i = 0; i != n; ++i)
        c[i] = (int)(n - i);
    return i;
}

static long down_two(long from) {
    long i;
#pragma orrery parallel
    for (i = from; i > 4; i -= 2)
        d[i] = (int)i;
    return i;
}

/* The type of the bound keeps the variable from wrapping around. */
static void narrow(unsigned char n) {
#pragma orrery parallel
    for (unsigned char i = 3; i < n; i++)
        e[i] = i * i;
}

static short negative(void) {
    short i;
#pragma orrery parallel
    for (i = -20; i < 20; i = i + 1)
        f[i + 20] = i;
    return i;
}

/* The comparison is unsigned: -1 is not less than n. */
static int mixed(unsigned n) {
    int i;
#pragma orrery parallel
    for (i = -1; i < n; ++i)
        g[i + 1] = 9;
    return i;
}

static int empty(int n) {
    int i;
#pragma orrery parallel
    for (i = 5; i < n; ++i)
        g[i] = 1;
    return i;
}

static void show(const char *name, const int *x) {
    long sum = 0;
    for (int i = 0; i <= N; ++i)
        sum = sum * 31 % 1000003 + x[i];
    printf("%s %ld\n", name, sum);
}

int main(void) {
    down(90);
    printf("%d %zu %ld\n", stepped(95), unequal(80), down_two(99));
    narrow(77);
    printf("%d %d %d %d\n", negative(), mixed(10), empty(5), empty(-100));
    show("a", a), show("b", b), show("c", c), show("d", d), show("e", e), show("f", f);
    show("g", g);
    return 0;
}
