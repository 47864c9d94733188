/* Sums into an array that begins in the middle of another one. front_guard HOW, see main. */
#include <stdio.h>
#include <string.h>

enum { N = 60, MIDDLE = 100, ALL = 300 };

static long store[ALL];
static void add(long *a, const int *place, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[place[i]] += i;
        a[i] += 1;
    }
}

static void add_before(long *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] += i;
        a[i - 3] += 1;
    }
}

/* inside: nothing is touched in front of what the pointers point to. key, distance: some
 * elements are. */
int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "inside";
    static int place[N];
    for (int i = 0; i < N; i++)
        place[i] = i * 7 % N;
    place[N / 2] = strcmp(how, "key") == 0 ? -5 : 1;
    if (strcmp(how, "distance") == 0)
        add_before(store + MIDDLE, N);
    else {
        add(store + MIDDLE, place, N);
        add_before(store + MIDDLE + 3, 0);
    }
    long sum = 0;
    for (int i = 0; i < ALL; i++)
        sum = (sum * 31 + store[i]) % 1000003;
    printf("%ld\n", sum);
    return 0;
}
