/* expect: parallel independent ordered
 * carried: none
 */
#define AT(m, i, j) m[(i) * columns + (j)]

void scale(double *m, const double *by, int rows, int columns) {
#pragma orrery parallel
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j)
            AT(m, i, j) *= by[i];
}
