/* expect: serial ORR2108 14:22 `q->sum` */
struct node {
    double value;
    double *sum;
    struct node *next;
};
void keep(double *sum);
double hinge(struct node *const *rows, int n) {
    double loss = 0;
    keep(&loss);
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        for (const struct node *q = rows[i]; q; q = q->next)
            loss += *q->sum * q->value;
    }
    return loss;
}
