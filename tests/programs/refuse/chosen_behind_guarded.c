/* expect: serial ORR2201 10:25 `b->value` */
/* the pointer may lead nowhere when no iteration looks behind it */
struct best {
    float value;
    int at;
};
void find(const float *restrict x, int n, struct best *restrict b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (b && x[i] > b->value) {
            b->value = x[i];
            b->at = i;
        }
}
