/* A table by class and column: rows chosen through two maps from the data's ids; partition by the mapped id.
 * loop: parallel partition-1d
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

#define BUCKETS 16

int main(void) {
    int n = 500, ids = 80;
    int *id = malloc(n * sizeof *id), *bucket = malloc(ids * sizeof *bucket);
    unsigned char *col = malloc(n);
    double (*H)[8] = calloc(BUCKETS, sizeof *H);
    for (int i = 0; i < ids; i++) bucket[i] = i * 11 % BUCKETS;
    for (int i = 0; i < n; i++) id[i] = i * 29 % ids, col[i] = i % 8;
    for (int e = 0; e < 2; e++)
        #pragma orrery parallel
        for (int i = 0; i < n; i++) {
            double *h = H[bucket[id[i]]];
            h[col[i]] = 0.9 * h[col[i]] + 0.1 * i;
            h[0] += 0.01 * h[7];
        }
    for (int b = 0; b < BUCKETS; b += 3) printf("%.12f %.12f\n", H[b][0], H[b][5]);
    return 0;
}
