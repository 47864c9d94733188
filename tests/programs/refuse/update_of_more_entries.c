/* expect: serial ORR2105 12:17 `w[col[p]]` */
/* The update would read an entry that the product does not come to. */
void train(int n, const int *restrict ptr, const int *restrict col, const double *restrict y,
           double *restrict w) {
    #pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double z = 0;
        for (int p = ptr[i] + 1; p < ptr[i + 1]; ++p)
            z += w[col[p]];
        if (y[i] * z < 1)
            for (int p = ptr[i]; p < ptr[i + 1]; ++p)
                w[col[p]] += y[i];
    }
}
