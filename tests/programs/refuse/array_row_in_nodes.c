/* expect: serial ORR2108 15:20 `m->value` */
/* a row of the array is what a node leads to */
struct node {
    int *value;
    struct node *next;
};
static int x[100][4];
static struct node first = {x[3], 0};
void sums(struct node *list) {
    list->next = &first;
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        int sum = 0;
        for (const struct node *m = list; m; m = m->next)
            sum += m->value[1];
        x[i][1] = sum + 1;
    }
}
