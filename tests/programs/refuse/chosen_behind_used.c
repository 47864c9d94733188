/* expect: serial ORR2201 11:20 `b->value` */
/* what was chosen so far is used */
struct best {
    float value;
    int at;
};
void find(float *restrict x, int n, struct best *restrict b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        x[i] += (float)b->at;
        if (x[i] > b->value) {
            b->value = x[i];
            b->at = i;
        }
    }
}
