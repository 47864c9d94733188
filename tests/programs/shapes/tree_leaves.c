/* A model at each leaf of a binary tree of pointers: the leaf of an example is found by walking down.
 * loop: serial ORR2105|ORR2205|ORR2204|ORR2108
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct tree {
    int feature;
    double split, mean;
    long count;
    struct tree *left, *right;
} tree;

static tree *grow(int depth, int f) {
    tree *t = calloc(1, sizeof *t);
    t->feature = f % 3;
    t->split = 0.5;
    if (depth) {
        t->left = grow(depth - 1, f + 1);
        t->right = grow(depth - 1, f + 2);
    }
    return t;
}

static void learn(tree *root, double (*x)[3], const double *y, int n) {
    #pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        tree *t = root;
        while (t->left)
            t = x[i][t->feature] < t->split ? t->left : t->right;
        t->count++;
        t->mean += (y[i] - t->mean) / t->count;
    }
}

int main(void) {
    double x[60][3], y[60];
    for (int i = 0; i < 60; i++) {
        for (int j = 0; j < 3; j++) x[i][j] = (i * (j + 3) % 10) / 10.0;
        y[i] = x[i][0] + 2 * x[i][1];
    }
    tree *root = grow(3, 0);
    learn(root, x, y, 60);
    printf("%ld %f\n", root->left->left->left->count, root->left->left->left->mean);
    return 0;
}
