/* expect: serial ORR2201 10:20 `b.value` */
/* another field of what was chosen so far is used */
struct best {
    float value;
    int at;
};
int find(float *restrict x, int n, struct best b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        if (x[i] > b.value) {
            b.value = x[i];
            b.at = i;
        }
        x[i] = (float)b.at;
    }
    return b.at;
}
