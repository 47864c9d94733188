/* expect: parallel independent ordered
 * carried: none
 */
void norms(float *restrict out, const float *restrict a, long rows, int columns, long apart) {
    const float *row = a;
#pragma orrery parallel
    for (long i = 0; i < rows; ++i, row += apart) {
        float s = 0;
        for (const float *p = row; p < row + columns; ++p)
            s += *p * *p;
        out[i] = s;
    }
}
