/* expect: parallel independent
 * carried: none
 */
/* a diagonal's stride, k + 1, is no row: nothing is asked of k */
static int eliminate(double *a, double *b, int k) {
    for (int i = 0; i < k; i++) {
        if (a[i * k + i] < 1e-9)
            return -1 - i;
        for (int j = i + 1; j < k; j++) {
            double f = a[j * k + i] / a[i * k + i];
            for (int q = i; q < k; q++)
                a[j * k + q] -= f * a[i * k + q];
            b[j] -= f * b[i];
        }
    }
    return 0;
}

void all(int n, int k, double *A, double *B, int *code) {
#pragma orrery parallel
    for (int u = 0; u < n; u++)
        code[u] = eliminate(A + u * k * k, B + u * k, k);
}
