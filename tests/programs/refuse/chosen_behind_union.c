/* expect: serial ORR2112 10:20 `b->value` */
/* the best and its place are the same bytes */
union best {
    float value;
    int at;
};
void find(const float *restrict x, int n, union best *restrict b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > b->value) {
            b->value = x[i];
            b->at = i;
        }
}
