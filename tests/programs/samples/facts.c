/*
 * Rows whose places only the data tell: CSR rows, rows by start and length, rows in another order,
 * rows of rows. The argument says what is wrong with the data, and from which pass on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 700, GROUPS = 70 };

static void by_pointer(const int *ptr, double *val, const double *d) {
#pragma orrery parallel
    for (int i = 0; i < ROWS; ++i)
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            val[p] = val[p] * .5 + d[i];
}

static void by_length(const long *start, const int *len, double *val, const double *d) {
#pragma orrery parallel
    for (int i = 0; i < ROWS; ++i)
        for (int j = 0; j < len[i]; ++j)
            val[start[i] + j] = val[start[i] + j] * .25 + d[i] + j;
}

static void by_order(const int *order, const int *ptr, double *val, const double *d) {
#pragma orrery parallel
    for (int i = 0; i < ROWS; ++i)
        for (int p = ptr[order[i]]; p < ptr[order[i] + 1]; ++p)
            val[p] += d[i];
}

static void by_group(const int *group, const int *ptr, double *val, const double *d) {
#pragma orrery parallel
    for (int g = 0; g < GROUPS; ++g)
        for (int i = group[g]; i < group[g + 1]; ++i)
            for (int p = ptr[i]; p < ptr[i + 1]; ++p)
                val[p] = val[p] * .75 + d[g];
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int when = argc > 2 ? atoi(argv[2]) : 0, total = 0;
    int *ptr = malloc((ROWS + 1) * sizeof *ptr), *len = malloc(ROWS * sizeof *len);
    int *order = malloc(ROWS * sizeof *order), *group = malloc((GROUPS + 1) * sizeof *group);
    long *start = malloc(ROWS * sizeof *start);
    double *d = malloc(ROWS * sizeof *d);
    for (int i = 0; i < ROWS; ++i) {
        ptr[i] = total;
        len[i] = i % 9;
        total += len[i];
        d[i] = i * .5;
        order[i] = i * 3 % ROWS;
    }
    ptr[ROWS] = total;
    for (int g = 0; g <= GROUPS; ++g)
        group[g] = g * (ROWS / GROUPS);
    for (int i = 0; i < ROWS; ++i)
        start[i] = total - ptr[i] - len[i];
    double *val = malloc((total + 100) * sizeof *val);
    for (int p = 0; p < total + 100; ++p)
        val[p] = p % 13;
    for (int pass = 0; pass < 4; ++pass) {
        if (pass == when) {
            if (!strcmp(what, "equal"))
                ptr[300] = ptr[301], ptr[400] = ptr[399];
            if (!strcmp(what, "empty"))
                memset(ptr, 0, (ROWS + 1) * sizeof *ptr);
            if (!strcmp(what, "fall"))
                ptr[302] -= 9;
            if (!strcmp(what, "jump"))
                ptr[303] += 40;
            if (!strcmp(what, "longer"))
                len[5] += 1;
            if (!strcmp(what, "hole"))
                start[1] += 3;
            if (!strcmp(what, "moved"))
                start[ROWS - 1] = total + 50;
            if (!strcmp(what, "same"))
                start[690] = start[10];
            if (!strcmp(what, "twice"))
                order[1] = order[690];
            if (!strcmp(what, "group"))
                group[40] += 1, group[41] -= 12;
        }
        by_pointer(ptr, val, d);
        by_length(start, len, val, d);
        by_order(order, ptr, val, d);
        by_group(group, ptr, val, d);
    }
    double sum = 0;
    for (int p = 0; p < total + 100; ++p)
        sum = sum * .9 + val[p];
    printf("%.17g\n", sum);
    return 0;
}
