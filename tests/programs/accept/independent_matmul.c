/* expect: parallel independent ordered
 * carried: none
 * guards: none
 */
static double A[300][200], B[200][100], C[300][100];

void multiply(void) {
#pragma orrery parallel
    for (int i = 0; i < 300; ++i)
        for (int j = 0; j < 100; ++j) {
            C[i][j] = 0;
            for (int k = 0; k < 200; ++k)
                C[i][j] += A[i][k] * B[k][j];
        }
}
