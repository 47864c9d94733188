/* expect: serial ORR2205 12:13 `b->value` */
/* the pointer itself is changed where the best is */
struct best {
    float value;
    int at;
    struct best *next;
};
void find(const float *restrict x, int n, struct best *b) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > b->value) {
            b->value = x[i];
            b->at = i;
            b = b->next;
        }
}
