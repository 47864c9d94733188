/* expect: parallel independent ordered
 * carried: none
 */
void spmv(double *out, const int *ptr, const int *col, const double *val, const double *x,
          int rows) {
#pragma orrery parallel
    for (int i = 0; i < rows; ++i) {
        double s = 0;
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            s += val[p] * x[col[p]];
        out[i] = s;
    }
}
