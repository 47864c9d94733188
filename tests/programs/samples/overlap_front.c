/*
 * Sets elements of one array from elements of another, at places that only the data tell: of
 * another allocation (`apart`), of the same one, further on (`behind`: no place is negative) or
 * reached from further on by negative places (`front`), or by a pointer one element in front of it
 * (`moved`).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#pragma GCC diagnostic ignored "-Warray-bounds"

enum { N = 1000 };

__attribute__((noinline)) static void by_place(float *a, const float *b, const int *at, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int j = 0; j < 3; ++j)
            sum += b[at[j]];
        a[i] = sum * 0.25f;
    }
}

__attribute__((noinline)) static void by_count(float *a, const float *b, const unsigned *at,
                                               int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        float sum = 0;
        for (int j = 0; j < 3; ++j)
            sum += b[at[j]];
        a[i] = sum * 0.25f;
    }
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "apart";
    float *a = malloc(3 * N * sizeof *a), *other = malloc(3 * N * sizeof *a), sum = 0;
    int at[3] = {1, 7, 500}, front[3] = {1, 7, -700};
    unsigned count[3] = {1, 7, 500};
    for (int i = 0; i < 3 * N; ++i)
        a[i] = other[i] = (float)(i % 17);
    if (strcmp(how, "apart") == 0)
        by_place(a, other, at, N);
    else if (strcmp(how, "behind") == 0)
        by_count(a, a + N, count, N);
    else if (strcmp(how, "front") == 0)
        by_place(a, a + N, front, N);
    else
        by_place(a, a - 1, at, N);
    for (int i = 0; i < 3 * N; ++i)
        sum += a[i];
    printf("%g\n", sum);
    free(a);
    free(other);
    return 0;
}
