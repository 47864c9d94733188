/*
 * Label propagation for communities: every vertex takes its neighbours' most frequent label, in place.
 * loop: parallel levels
 */
#include <stdio.h>
#include <stdlib.h>

#define MAX_DEGREE 64

int main(void) {
    int n = 400;
    srand(18);
    int **adj = malloc(n * sizeof(int *)), *deg = calloc(n, sizeof(int)),
        *label = malloc(n * sizeof(int));
    for (int v = 0; v < n; v++) {
        adj[v] = malloc(MAX_DEGREE * sizeof(int));
        label[v] = v;
    }
    for (int e = 0; e < 1600; e++) {
        int a = rand() % n, b = rand() % 5 ? (a / 40) * 40 + rand() % 40 : rand() % n;
        if (a != b && deg[a] < MAX_DEGREE && deg[b] < MAX_DEGREE) {
            adj[a][deg[a]++] = b;
            adj[b][deg[b]++] = a;
        }
    }
    for (int it = 0; it < 10; it++) {
        int changed = 0;
#pragma orrery parallel
        for (int v = 0; v < n; v++) {
            int best = label[v], most = 0;
            for (int i = 0; i < deg[v]; i++) {
                int count = 0, l = label[adj[v][i]];
                for (int j = 0; j < deg[v]; j++)
                    if (label[adj[v][j]] == l)
                        count++;
                if (count > most || (count == most && l < best)) {
                    most = count;
                    best = l;
                }
            }
            if (best != label[v]) {
                label[v] = best;
                changed++;
            }
        }
        printf("pass %d changed %d\n", it, changed);
        if (!changed)
            break;
    }
    long sum = 0;
    for (int v = 0; v < n; v++)
        sum = sum * 31 + label[v];
    printf("%ld\n", sum);
    return 0;
}
