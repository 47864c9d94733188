/* Longest common subsequence in a table of 64 columns, row after row in one declared array.
 * loop: parallel wavefront
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int L[65 * 64];
int main(void) {
    static char a[64], b[64]; int n = 60, m = 60;
    for (int i = 0; i < 64; i++) a[i] = 'a' + i * 7 % 5, b[i] = 'a' + i * 3 % 5;
#pragma orrery parallel
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++)
            L[i * 64 + j] = a[i] == b[j] ? L[(i - 1) * 64 + j - 1] + 1 : L[(i - 1) * 64 + j] > L[i * 64 + j - 1] ? L[(i - 1) * 64 + j] : L[i * 64 + j - 1];
    printf("%d\n", L[59 * 64 + 59]);
    return 0;
}
