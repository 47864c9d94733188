/* expect: parallel independent ordered
 * carried: none
 */
#include <stdio.h>
#include <stdlib.h>

static void *get(size_t bytes) {
    void *p = malloc(bytes);
    if (p == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(2);
    }
    return p;
}

void turn(const double *x, double *out, int n, int m) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double *own, *other = get(m * sizeof *other);
        if ((own = malloc(m * sizeof *own)) == NULL) {
            perror("malloc");
            exit(1);
        }
        for (int j = 0; j < m; ++j)
            own[j] = other[j] = x[(long)i * m + j];
        out[i] = own[0] + other[m - 1];
        free(own);
        free(other);
    }
}
