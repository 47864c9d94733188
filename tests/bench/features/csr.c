/* Rows of a sparse matrix scaled in place: disjoint as long as the row pointers ascend. */
void kernel(const int *restrict rows, float *restrict values, const float *restrict by, long n) {
    for (long i = 0; i < n; ++i)
        for (int p = rows[i]; p < rows[i + 1]; ++p)
            values[p] *= by[i];
}
