/* evaluated: 3 */
/* `f = f || E` and its like, where E divides by 0, or does not end, once the flag is settled. The
 * last three cannot. An argument runs one of them alone. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 9000 };

static int d[N], next[N];
static const int steps[4] = {1, 2, 4, 8};

__attribute__((noinline)) static int quotient(void) {
    bool f = false;
#pragma orrery parallel
    for (int i = 0; i < 1000; i++)
        f = f || 1000 / d[i] == 5;
    return f;
}

__attribute__((noinline)) static int remainder_of(const int *by, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && 1000 % by[i] != 0;
    return ok;
}

__attribute__((noinline)) static int of_least(const long *by, int n, long least) {
    bool any = false;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        any = any || least / by[i] > 1;
    return any;
}

static int share(int total, int of) {
    return total / of;
}

__attribute__((noinline)) static int in_a_function(const int *by, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && share(1000, by[i]) != 5;
    return ok;
}

__attribute__((noinline)) static int ahead_and_behind(const int *by, const int *x, int n) {
    int f = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        f = (x[i] < 0 || f) || 1000 / by[i] == 5;
    return f;
}

static int walk(const int *to, int i) {
    int c = 0;
    while (to[i] != i) {
        i = to[i];
        c++;
    }
    return c;
}

__attribute__((noinline)) static int never_ends(const int *to, int n) {
    int ok = 1;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        ok = ok && walk(to, i) < 5;
    return ok;
}

static int halve(int x) {
    int c = 0;
    for (; x != 1; x /= 2)
        c++;
    return c;
}

__attribute__((noinline)) static int ends_at_one(int n) {
    bool ok = true;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        ok = ok && halve(4000 - i) < 11;
    return ok;
}

__attribute__((noinline)) static int by_numbers(const int *x, int n, long *sum) {
    bool f = false;
    long s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        s += x[i];
        f = f || (x[i] % 7 == 3 && x[i] / 3 > 700 && x[i] >> 2 < steps[i & 3] * 90);
    }
    *sum += s;
    return f;
}

static int digits(unsigned x) {
    int c = 0;
    for (int i = 0; i < 4; i++)
        c += (x >> 8 * i & 255) != 0;
    return c;
}

__attribute__((noinline)) static int by_a_short_loop(int n) {
    bool f = false;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        f = f || digits(i * 2654435761u) == 0;
    return f;
}

__attribute__((noinline)) static int evaluated_first(const int *by, int n) {
    bool f = false;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        bool each = 1000 / by[i] == 5;
        f = f || each;
    }
    return f;
}

int main(int argc, char **argv) {
    int only = argc > 1 ? atoi(argv[1]) : -1, k = 0;
    long sum = 0, by[1000];
    for (int i = 0; i < N; i++) {
        d[i] = 500 - i;
        next[i] = i;
    }
    d[100] = 200;
    for (int i = 0; i < 1000; i++)
        by[i] = 500 - i;
    by[100] = 3;
    for (int j = 1; j < 12; j++)
        next[2000 + j] = 2000 + j - 1;
    next[8000] = 8001;
    next[8001] = 8000;
#define RUN(call)                                                                                  \
    do {                                                                                           \
        if (only < 0 || only == k)                                                                 \
            printf("%d: %d\n", k, call);                                                           \
        k++;                                                                                       \
    } while (0)
    RUN(quotient());
    RUN(remainder_of(d, 1000));
    RUN(of_least(by, 1000, 1000));
    RUN(in_a_function(d, 1000));
    RUN(ahead_and_behind(d, next, 1000));
    RUN(never_ends(next, N));
    RUN(ends_at_one(N));
    RUN(by_numbers(next, N, &sum));
    RUN(by_a_short_loop(N));
    RUN(evaluated_first(d, 400));
    printf("%ld\n", sum);
    return 0;
}
