/*
 * An array that grows by realloc while it is filled, and of which loops have a part: memory.sh.
 * usage: grow ROWS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { K = 32, ROUNDS = 5, OTHER = 3000000 };

static void halve(float *W, long from, long rows, float more) {
#pragma orrery parallel
    for (long u = from; u < rows; ++u)
        for (int k = 0; k < K; ++k)
            W[u * K + k] = W[u * K + k] * .5f + more;
}

static float *resize(float *W, long rows) {
    W = realloc(W, (size_t)(rows * K) * sizeof *W);
    if (!W)
        exit(3);
    return W;
}

static double sum_of(const float *W, long rows) {
    double sum = 0;
    for (long i = 0; i < rows * K; ++i)
        sum += W[i] * (double)(i % 13);
    return sum;
}

int main(int argc, char **argv) {
    long rows = 0, room = 100, most = argc > 1 ? atol(argv[1]) : 0;
    float *W = resize(NULL, room);
    char *other = NULL;
    for (int round = 0; round < ROUNDS; ++round) {
        for (; rows < most / ROUNDS * (round + 1); ++rows) {
            if (rows == room)
                W = resize(W, room = room * 3 / 2);
            for (int k = 0; k < K; ++k)
                W[rows * K + k] = (float)(rows % 1009 + k);
        }
        if (round == 1 && (other = malloc(OTHER))) /* W does not grow where it stands any more */
            memset(other, 1, OTHER);
        halve(W, 0, rows, 1.5f);
        halve(W, rows / 4 * 3, rows, .25f);
        printf("%ld %.9g\n", rows, sum_of(W, rows));
        if (round == 2) /* no room to spare; then far fewer rows */
            W = resize(W, room = rows);
        if (round == 3)
            W = resize(W, room = rows = rows / 7);
    }
    W = resize(W, 100);
    printf("%.9g\n", sum_of(W, 100));
    free(W);
    free(other);
    return 0;
}
