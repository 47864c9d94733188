/* Nests whose outermost loop waits, and a loop inside does not: sums of the bits of what they leave.
 * Each function's first comment says what becomes of it: strips of the inner loop run outermost, or it
 * is kept as it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700, M = 900 };

static float a[2 * M], b[2 * M + N], c[N], u[N][M], v[N][M];

static unsigned long bits(const void *memory, size_t bytes) {
    const unsigned char *at = memory;
    unsigned long sum = 1469598103934665603UL;
    for (size_t i = 0; i < bytes; i++)
        sum = (sum ^ at[i]) * 1099511628211UL;
    return sum;
}

static void show(const char *name) {
    printf("%s %lx %lx\n", name, bits(a, sizeof a), bits(u, sizeof u));
}

/* kept: each number needs the one before */
static void fill(void) {
    unsigned long r = 7;
    for (int i = 0; i < 2 * M + N; i++) {
        r = r * 6364136223846793005UL + 1442695040888963407UL;
        b[i] = (float)(r >> 40) / 16777216 - .5f;
    }
}

/* kept: the loop over rows can be shared */
static void rows(void) {
    for (int j = 0; j < N; j++) {
        c[j] = b[j];
        for (int i = 0; i < M; i++) {
            u[j][i] = b[i + j];
            v[j][i] = u[j][i] * b[i];
        }
    }
}

/* strips */
static void convolve(int n, int m) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            a[i] += b[i + m - j - 1] * c[j];
}

/* strips: of a triangle */
static void triangle(int n) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            a[i] = a[i] * .5f + b[j - i] * c[j];
}

/* strips: down the columns, which stand next to each other */
static void down(int n, int m) {
    for (int j = 1; j < n; j++)
        for (int i = 0; i < m; i++)
            u[j][i] = u[j - 1][i] * .5f + v[j][i];
}

/* strips: pointers that the run compares */
static void pointers(int n, int m, float *x, const float *y, const float *z) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            x[i] += y[i + j] * z[j];
}

/* kept: the neighbour of the next round */
static void neighbours(int n, int m) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m - 1; i++)
            a[i] = a[i + 1] * c[j];
}

/* kept: what is summed up crosses the strips */
static float total(int n, int m) {
    float sum = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            sum += u[j][i] * c[j];
    return sum;
}

/* kept: a round reads what the whole one before has left */
static void gather(int n, int m) {
    for (int j = 1; j < n; j++)
        for (int i = 0; i < m; i++)
            a[i] += a[M + j] * b[i];
    for (int j = 1; j < n; j++)
        for (int i = 0; i < m; i++)
            a[i] = a[j] + c[j];
}

/* kept: someone is told of each round */
static void told(int n, int m) {
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < m; i++)
            a[i] += b[i] * c[j];
        if (c[j] > .4999f)
            puts("large");
    }
}

int main(int argc, char **argv) {
    int less = argc > 1 ? atoi(argv[1]) : 0, n = N - less, m = M - less;
    fill();
    rows();
    for (int round = 0; round < 3; round++)
        convolve(n, m);
    show("convolve");
    triangle(n);
    show("triangle");
    down(n, m);
    show("down");
    pointers(n, m, a, b, c);
    show("apart");
    pointers(n, m, a, b + 1, a + m);
    show("behind");
    pointers(n, m, a, a + 1, c);
    show("meet");
    neighbours(n, m);
    printf("total %a\n", (double)total(n, m));
    gather(n, m);
    told(n, m);
    show("kept");
}
