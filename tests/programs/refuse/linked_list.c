/* expect: serial ORR2223 10:5 `for (` */
/* not counted: each node names the next one */
struct node {
    struct node *next;
    float value;
};

void scale(struct node *head, float by) {
#pragma orrery parallel unordered
    for (struct node *p = head; p; p = p->next)
        p->value *= by;
}
