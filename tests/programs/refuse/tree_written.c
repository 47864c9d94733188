/* expect: serial ORR2205 13:9 `t->sum` */
/* says: `t` goes from node to node (`t = x[i] < t->split ? t->left : t->right`) */
struct node {
    struct node *left, *right;
    double split, sum;
};
void drop(struct node *root, const double *x, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; i++) {
        struct node *t = root;
        while (t->left)
            t = x[i] < t->split ? t->left : t->right;
        t->sum += x[i];
    }
}
