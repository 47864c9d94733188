/*
 * Rows that are lists: where the nodes lie is known while the loop follows them, and not before.
 *
 * loop: parallel reduction
 * result: same
 * ranks: refused other ranks have no copy of it
 */
#include <stdio.h>
#include <stdlib.h>

struct node {
    int index;
    double value;
    struct node *next;
};

enum { ROWS = 3000, WEIGHTS = 100 };

static double weight[WEIGHTS];
static struct node *row[ROWS];

static void prepend(struct node **list, int index, double value) {
    struct node *node = malloc(sizeof *node);
    if (!node)
        exit(1);
    *node = (struct node){index, value, *list};
    *list = node;
}

static int misses(void) {
    int count = 0;
#pragma orrery parallel
    for (int i = 0; i < ROWS; ++i) {
        double margin = 0;
        for (const struct node *node = row[i]; node; node = node->next)
            margin += weight[node->index] * node->value;
        if (margin < 1)
            ++count;
    }
    return count;
}

int main(void) {
    for (int k = 0; k < WEIGHTS; ++k)
        weight[k] = k * .01 - .4;
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < i % 6; ++k)
            prepend(&row[i], (i * 7 + k * 13) % WEIGHTS, k - 2);
    printf("%d\n", misses());
}
