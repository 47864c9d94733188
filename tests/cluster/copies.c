/*
 * A table that all ranks read whole: copies.sh. usage: copies ENTRIES PASSES
 *   Behind the third pass it makes the file `ready` and waits for the file `go`, if ENTRIES are more than 100000; so it does
 *   with `freed` and `end` when both tables are free, and a loop has run since.
 *   A static table, too; the second pass reads another table, and the fourth one the first, changed; the last one
 *   changes the table in a loop, which the pass behind reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { ROWS = 300000, FIXED = 600000 };

static float fixed[FIXED];

static double pass_over(const float *table, long n, float *y, int pass) {
    double sum = 0;
#pragma orrery parallel
    for (long i = 0; i < ROWS; ++i) {
        y[i] += table[(i * 7919 + pass) % n] * table[(i * 104729 + 3) % n] + fixed[i * 31 % FIXED];
        sum += y[i];
    }
    return sum;
}

static void scale(float *table, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        table[i] = table[i] * .5f + 1;
}

static int wait_for(const char *ready, const char *go) {
    FILE *file = fopen(ready, "w");
    if (!file || fclose(file))
        return 1;
    while (access(go, F_OK))
        usleep(10000);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    long n = atol(argv[1]);
    float *first = malloc((size_t)n * sizeof *first), *second = malloc((size_t)n * sizeof *second);
    float *y = calloc(ROWS, sizeof *y);
    if (!first || !second || !y)
        return 3;
    for (long i = 0; i < n; ++i) {
        first[i] = (float)(i % 1009) * .01f;
        second[i] = (float)(i % 1013) * .02f;
    }
    for (long i = 0; i < FIXED; ++i)
        fixed[i] = (float)(i % 31);
    for (int pass = 0; pass < atoi(argv[2]); ++pass) {
        printf("%.9g\n", pass_over(pass == 1 ? second : first, n, y, pass));
        fflush(stdout);
        if (pass == 2 && n > 100000 && wait_for("ready", "go"))
            return 4;
        first[pass * 1000 % n] += 1;
        if (pass == 3)
            scale(first, n);
        if (pass == 4) { // another block at the same address
            free(first);
            first = malloc((size_t)n * sizeof *first);
            for (long i = 0; first && i < n; ++i)
                first[i] = i % 7 ? 0 : 1;
        }
    }
    free(first);
    free(second);
    scale(y, ROWS);
    printf("%.9g\n", y[ROWS / 2]);
    fflush(stdout);
    if (n > 100000 && wait_for("freed", "end"))
        return 5;
    free(y);
    return 0;
}
