/* expect: serial ORR2215 18:18 `visit(` */
/* the effects of a recursive function are not bounded */
struct node {
    int left, right;
    float weight;
};

static float visit(struct node *t, int at) {
    if (at < 0)
        return 0;
    t[at].weight += 1;
    return t[at].weight + visit(t, t[at].left) + visit(t, t[at].right);
}

void walk(struct node *t, const int *start, float *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = visit(t, start[n]);
}
