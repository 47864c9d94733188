/*
 * Users' and items' rows in one array, the items' behind the users'. The arguments are one user and
 * one item that may not be there.
 */
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int users = 100, items = 50, K = 3;
    long n = 3000;
    float *W = malloc(sizeof(float) * (users + items) * K);
    int *u = malloc(n * sizeof(int)), *v = malloc(n * sizeof(int));
    for (int i = 0; i < (users + items) * K; i++)
        W[i] = i * .01f;
    for (long i = 0; i < n; i++)
        u[i] = i * 7 % users, v[i] = i * 11 % items;
    if (argc > 1)
        u[500] = atoi(argv[1]);
    if (argc > 2)
        v[700] = atoi(argv[2]);
#pragma orrery parallel unordered
    for (long i = 0; i < n; i++)
        for (int k = 0; k < K; k++) {
            W[u[i] * K + k] += 1;
            W[(v[i] + users) * K + k] = W[(v[i] + users) * K + k] * .5f + W[u[i] * K + k];
        }
    double s = 0;
    for (int i = 0; i < (users + items) * K; i++)
        s += W[i];
    printf("%.9g\n", s);
}
