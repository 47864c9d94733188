/* expect: serial ORR2205 16:13 `m->best` */
/* the structure that holds the best is another one after each find */
struct best {
    float value;
    int at;
};
struct model {
    struct best *best, *spare;
};
void find(const float *restrict x, int n, struct model *restrict m) {
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        if (x[i] > m->best->value) {
            m->best->value = x[i];
            m->best->at = i;
            m->best = m->spare;
        }
}
