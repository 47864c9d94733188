/* expect: serial ORR2205 7:9 `nodes[i].next->value` */
/* structures that lead to their own kind */
struct node { int value; struct node *next; };
void step(struct node *nodes, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        nodes[i].next->value += nodes[i].value;
}
