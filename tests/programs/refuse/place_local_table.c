/* expect: serial ORR2205 17:9 `p->count` */
struct cluster {
    int count;
};
void assign(int n, int k, const double *restrict x, struct cluster *const *restrict c) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        struct cluster *mine[8], **other = mine;
        int best = 0;
        for (int j = 0; j < k; ++j) {
            mine[j] = c[j];
            if (x[i] > j)
                best = j;
        }
        struct cluster *p = mine[best];
        other[best] = c[0];
        p->count++;
    }
}
