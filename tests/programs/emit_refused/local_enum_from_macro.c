/* ORR2305 */
#define CONSTANTS enum { FIRST = 4, SECOND }
void fill(int *restrict a, int n) {
    CONSTANTS;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = FIRST + SECOND * i;
}
