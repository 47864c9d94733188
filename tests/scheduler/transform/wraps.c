/* Bounds and comparisons without a sign: a start below zero is a large number, and the loop runs in no round. Headers
 * that do more than count. */
#include <stddef.h>
#include <stdio.h>

enum { N = 200 };
static double X[N][N], Y[N][N], Z[N][N];
static char name[150];

void start_of_other(size_t n, double (*restrict x)[N], double (*restrict y)[N],
                    double (*restrict z)[N]) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = i - 1; j < n; j++)
            for (size_t k = 0; k < n; k++)
                x[i][j] += y[i][k] * z[k][j];
}

void start(size_t n, size_t m, double (*restrict x)[N], double (*restrict y)[N],
           double (*restrict z)[N]) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = m - 1; j < n; j++)
            for (size_t k = 0; k < n; k++)
                x[i][j] += y[i][k] * z[k][j];
}

void end(size_t n, size_t m, double (*restrict x)[N], double (*restrict y)[N],
         double (*restrict z)[N]) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n - i; j++)
            for (size_t k = m; k < n; k++)
                x[i][j] += y[i][k] * z[k][j];
}

void size(int n, double (*restrict x)[N], double (*restrict y)[N], double (*restrict z)[N]) {
    for (int i = 0; i < n; i++)
        for (int j = -1; j < sizeof name; j++)
            for (int k = 0; k < n; k++)
                x[i][j + 1] += y[i][k] * z[k][j + 1];
}

void compared(long n, unsigned long m, double (*restrict x)[N], double (*restrict y)[N],
              double (*restrict z)[N]) {
    for (long i = 0; i < n; i++)
        for (long j = -1; j < m; j++)
            for (long k = 0; k < n; k++)
                x[i][j + 1] += y[i][k] * z[k][j + 1];
}

void compared_narrow(long n, unsigned m, double (*restrict x)[N], double (*restrict y)[N],
                     double (*restrict z)[N]) {
    for (long i = 0; i < n; i++)
        for (long j = -1; j < m; j++)
            for (long k = 0; k < n; k++)
                x[i][j + 1] += y[i][k] * z[k][j + 1];
}

void mixed(long n, unsigned long m, double (*restrict x)[N], double (*restrict y)[N],
           double (*restrict z)[N]) {
    for (long i = 0; i < n; i++)
        for (long j = i - m; j < n; j++)
            for (unsigned long k = 0; k < n; k++)
                x[i][j + 100] += y[i][k] * z[k][j + 100];
}

int header(int n, double (*restrict x)[N], double (*restrict y)[N], double (*restrict z)[N]) {
    int i, j, k, by;
    for (i = 0, by = 5; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                x[i][j] += y[i][k] * z[k][j] * by;
    return i + by;
}

int header_inside(int n, double (*restrict x)[N], double (*restrict y)[N],
                  double (*restrict z)[N]) {
    int i, j, k, by = 1;
    for (i = 0; i < n; i++)
        for (j = 0, by = 7; j < n; j++, by += 2)
            for (k = 0; k < n; k++)
                x[i][j] += y[i][k] * z[k][j] * by;
    return by;
}

static void begin(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            X[i][j] = (i * 7 + j) % 13 / 7.0;
            Y[i][j] = (i + j * 5) % 11 / 9.0;
            Z[i][j] = (3 * i + j) % 17 / 11.0;
        }
}

static void print(const char *call) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum = sum * 1.0000001 + X[i][j] * (i * 3 + j);
    printf("%s %a\n", call, sum);
}

#define RUN(call) (begin(), call, print(#call))

int main(void) {
    RUN(start_of_other(190, X, Y, Z));
    RUN(start(150, 0, X, Y, Z));
    RUN(start(150, 1, X, Y, Z));
    RUN(end(150, 3, X, Y, Z));
    RUN(end(151, 30, X, Y, Z));
    RUN(size(150, X, Y, Z));
    RUN(compared(150, 150, X, Y, Z));
    RUN(compared_narrow(150, 150, X, Y, Z));
    RUN(mixed(100, 20, X, Y, Z));
    RUN(mixed(100, 90, X, Y, Z));
    RUN(X[0][0] += header(150, X, Y, Z));
    RUN(X[0][0] += header_inside(150, X, Y, Z));
    return 0;
}
