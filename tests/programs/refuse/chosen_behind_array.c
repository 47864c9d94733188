/* expect: serial ORR2112 11:13 `x[i].value` */
/* the best lies in the array that the iterations write */
struct best {
    float value;
    int at;
};
void find(struct best *x, int n) {
    struct best *b = x;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (x[i].value > b->value) {
            b->value = x[i].value;
            b->at = i;
        }
        x[i].at = 3;
    }
}
