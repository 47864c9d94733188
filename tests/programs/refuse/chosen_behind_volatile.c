/* expect: serial ORR2227 10:20 `b->value` */
/* somebody else looks at the best while it is being found */
struct best {
    volatile float value;
    int at;
};
void find(const float *restrict x, int n, struct best *restrict b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > b->value) {
            b->value = x[i];
            b->at = i;
        }
}
