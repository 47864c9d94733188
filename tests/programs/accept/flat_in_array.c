/* expect: parallel independent ordered
 * carried: none
 */
enum { MOST = 1 << 20 };
float table[MOST];

void scale(int n, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < K; ++j)
            table[i * K + j] = table[i * K + j] * .5f + table[i * K];
}
