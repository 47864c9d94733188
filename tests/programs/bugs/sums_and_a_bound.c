/* emit: 1 */
/* The loop's bound stands behind the pointer that the sums go through: what told the run how large
 * things are named a pointer that was not there. */
#include <stdio.h>

struct counts {
    const int *weight;
    int n, least, of[4];
};

static void count(struct counts *c, const int *kind, const int *x) {
#pragma orrery parallel
    for (int i = 0; i < c->n; ++i)
        c->of[kind[i]] += x[i] > c->least ? c->weight[i] * x[i] : 0;
}

int main(void) {
    static int kind[1000], x[1000], weight[1000];
    static struct counts c = {.weight = weight, .n = 1000, .least = 5};
    for (int i = 0; i < 1000; ++i) {
        kind[i] = i % 4;
        x[i] = i;
        weight[i] = i % 3 - 1;
    }
    count(&c, kind, x);
    printf("%d %d %d %d %d\n", c.n, c.of[0], c.of[1], c.of[2], c.of[3]);
    return 0;
}
