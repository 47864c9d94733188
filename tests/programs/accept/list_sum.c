/* expect: parallel reduction ordered
 * reductions: + loss
 */
/* Nothing is known of where the nodes lie, but a variable without an address is not among them. */
struct node {
    int index;
    double value;
    struct node *next;
};
double hinge(struct node *const *rows, const double *w, int n) {
    double loss = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double margin = 0;
        for (const struct node *q = rows[i]; q; q = q->next)
            margin += w[q->index] * q->value;
        if (margin < 1)
            loss += 1 - margin;
    }
    return loss;
}
