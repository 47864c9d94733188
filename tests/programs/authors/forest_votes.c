/*
 * Votes of a random forest: nodes that lead to nodes, beside arrays that no node leads to.
 * loop: parallel reduction
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct node {
    short feature;
    float cut;
    struct node *left, *right;
    int klass;
    int visits;
} node;
typedef struct {
    node *root;
} tree;
static unsigned seed = 1;
static unsigned rnd(void) {
    seed = seed * 69069u + 5;
    return seed >> 8;
}
static node *grow(int depth) {
    node *t = calloc(1, sizeof *t);
    if (depth == 0) {
        t->klass = rnd() % 3;
        t->feature = -1;
        return t;
    }
    t->feature = rnd() % 6;
    t->cut = rnd() % 100 / 100.f;
    t->left = grow(depth - 1);
    t->right = grow(depth - 1);
    return t;
}
static int classify(const node *t, const float *x) {
    while (t->feature >= 0)
        t = x[t->feature] < t->cut ? t->left : t->right;
    return t->klass;
}
int main(void) {
    enum { TREES = 15, ROWS = 1000, FEATURES = 6, CLASSES = 3 };
    tree forest[TREES];
    for (int t = 0; t < TREES; t++)
        forest[t].root = grow(5);
    float(*x)[FEATURES] = malloc(sizeof(float[ROWS][FEATURES]));
    for (int i = 0; i < ROWS; i++)
        for (int f = 0; f < FEATURES; f++)
            x[i][f] = (i * 37 + f * 59) % 101 / 101.f;
    unsigned long confusion[CLASSES][CLASSES] = {{0}};
    int *guess = malloc(ROWS * sizeof *guess);
#pragma orrery parallel
    for (int i = 0; i < ROWS; i++) {
        unsigned votes[CLASSES] = {0};
        for (int t = 0; t < TREES; t++)
            votes[classify(forest[t].root, x[i])]++;
        int best = 0;
        for (int k = 1; k < CLASSES; k++)
            if (votes[k] > votes[best])
                best = k;
        guess[i] = best;
        confusion[i % CLASSES][best]++;
        if (i % 250 == 0)
            printf("%d rows done\n", i);
    }
    for (int a = 0; a < CLASSES; a++) {
        for (int b = 0; b < CLASSES; b++)
            printf(" %lu", confusion[a][b]);
        putchar('\n');
    }
}
