/*
 * Guards that do not hold: overlaps, ranges that share elements, lists with one value twice,
 * distances.
 * says: share memory
 * says: runs serially: .*m = 1
 * says: runs serially: .*m = -1
 * says: runs serially: .*iteration
 */
#include <stdio.h>
#include <stdlib.h>

enum { N = 3000 };
static double store[4 * N], x[N], y[N];
static int ptr[N + 1], list[N];

__attribute__((noinline)) static void copy(double *to, const double *from, int n) {
    for (int i = 0; i < n; i++)
        to[i] = from[i] * .5 + i;
}

__attribute__((noinline)) static void moved(double *a, int n, int m) {
    for (int i = 0; i < n; i++)
        a[i] = a[i + m] * .5 + i;
}

__attribute__((noinline)) static void ranges(double *a, const int *first, int n) {
    for (int i = 0; i < n; i++)
        for (int p = first[i]; p < first[i + 1]; p++)
            a[p] = a[p] * .5 + i;
}

__attribute__((noinline)) static void listed(double *a, const int *which, int n) {
    for (int i = 0; i < n; i++)
        a[which[i]] = x[i] * 2 + i;
}

__attribute__((noinline)) static void rows(double **t, int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            t[i][j] = t[i][j] * .5 + i + j;
}

__attribute__((noinline)) static void swept(double *a, int n, int m) {
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            a[i * m + j] = a[i * m + j] * .5 + a[(i - 1) * m + j] * .25 + a[i * m + j - 1] * .25;
}

__attribute__((noinline)) static void narrow(signed char *k, double *a, int n) {
    for (int i = 0; i < n; i++)
        a[(unsigned char)(k[i] + 100)] = a[(unsigned char)(k[i] + 100)] * .5 + i;
}

static void say(const char *what) {
    double s = 0;
    for (int i = 0; i < 4 * N; i++)
        s = s * .999 + store[i];
    printf("%s %.17g\n", what, s);
}

int main(void) {
    double *table[40];
    static signed char k[N];
    for (int i = 0; i < 4 * N; i++)
        store[i] = i * 7919 % 1009;
    for (int i = 0; i < N; i++) {
        x[i] = y[i] = i % 17;
        ptr[i] = i;
        list[i] = i * 7 % N;
        k[i] = (signed char)(i * 13);
    }
    ptr[N] = N;
    copy(store, store + N, N);
    copy(store + 1, store, N);
    copy(store, store + 1, N);
    say("copy");
    moved(store + N, N, N);
    moved(store + N, N, 1);
    moved(store + N, N, -1);
    say("moved");
    ranges(store, ptr, N);
    ptr[N / 2] = 3;
    ranges(store, ptr, N);
    say("ranges");
    listed(store, list, N);
    list[N / 3] = list[N / 2];
    listed(store, list, N);
    say("listed");
    for (int i = 0; i < 40; i++)
        table[i] = store + i * 50;
    rows(table, 40, 50);
    table[20] = table[19] + 7;
    rows(table, 40, 50);
    say("rows");
    swept(store, 100, 100);
    swept(store, 100, 1);
    say("swept");
    narrow(k, store, N);
    say("narrow");
    return 0;
}
