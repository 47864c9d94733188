/* expect: parallel independent ordered
 * carried: none
 */
void scale(float *a, const float *b, int n, int m) {
    int at = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[at++] *= b[j];
}
