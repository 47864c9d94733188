/* ORR2111 */
struct weight {
    float z, n;
};
struct row {
    int count, index[10];
    float g;
};

void train(struct weight *restrict w, const struct row *restrict rows, long count) {
#pragma orrery parallel unordered
    for (long t = 0; t < count; ++t)
        for (int i = 0; i < rows[t].count; ++i) {
            struct weight *f = &w[rows[t].index[i]];
            float old = f->n;
            f->n += rows[t].g * rows[t].g;
            f->z += rows[t].g * (f->n - old) - f->z / 2;
        }
}
