/* expect: serial ORR2108 15:20 `m->value` */
/* nodes lead to the allocation */
#include <stdlib.h>
struct node {
    int *value;
    struct node *next;
};
int sums(int n, struct node *list) {
    int *x = calloc((size_t)n, sizeof *x);
    list->value = x;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        int sum = 0;
        for (const struct node *m = list; m; m = m->next)
            sum += m->value[i * 7 % n];
        x[i] = sum + 1;
    }
    return x[n - 1];
}
