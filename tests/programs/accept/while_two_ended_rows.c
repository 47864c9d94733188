/* expect: parallel independent ordered
 * carried: none
 */
void turn_rows(double (*rows)[64], int n, int K) {
#pragma orrery parallel
    for (int r = 0; r < n; r++) {
        int i = 0, j = K - 1;
        while (i < j) {
            double t = rows[r][i];
            rows[r][i] = rows[r][j];
            rows[r][j] = t;
            i++;
            j--;
        }
    }
}
