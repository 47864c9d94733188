/* expect: serial ORR2231 11:16 `t.high` */
/* setting one bit-field sets nothing of its neighbour */
struct flags {
    unsigned low : 4, high : 4;
};
void pass(const int *restrict x, int *restrict y, int n) {
    struct flags t = {0, 3};
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        t.low = x[i] & 15;
        y[i] = t.high;
        t.high = t.low;
    }
}
