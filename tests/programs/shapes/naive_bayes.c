/* Counting for naive Bayes: labels, and feature values by label, in int *** allocated row by row.
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

int ***alloc3(int a, int b, int c) {
    int ***t = malloc(a * sizeof(int **));
    for (int i = 0; i < a; i++) {
        t[i] = malloc(b * sizeof(int *));
        for (int j = 0; j < b; j++)
            t[i][j] = calloc(c, sizeof(int));
    }
    return t;
}

int main(int argc, char **argv) {
    int n = 500, labels = 3, features = 6, values = 4;
    int **x = malloc(n * sizeof(int *)), *y = malloc(n * sizeof(int));
    int *prior = calloc(labels, sizeof(int));
    int ***count = alloc3(labels, features, values);
    (void)argc, (void)argv;
    for (int i = 0; i < n; i++) {
        x[i] = malloc(features * sizeof(int));
        y[i] = i * 7 % labels;
        for (int f = 0; f < features; f++)
            x[i][f] = (i * (f + 3) + y[i]) % values;
    }
    #pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        prior[y[i]]++;
        for (int f = 0; f < features; f++)
            count[y[i]][f][x[i][f]]++;
    }
    for (int l = 0; l < labels; l++) {
        printf("%d:", prior[l]);
        for (int f = 0; f < features; f++)
            printf(" %d", count[l][f][f % values]);
        printf("\n");
    }
    return 0;
}
