/* expect: serial ORR2201 10:13 `b.second` */
/* what is kept is not what was compared */
struct best {
    float value, second;
};
float find(const float *restrict x, int n, struct best b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > b.value) {
            b.second = b.value;
            b.value = x[i];
        }
    return b.second;
}
