/* ORR2277 */
/* says: `UNROLL` in front of it brings a directive */
#define UNROLL _Pragma("GCC unroll 4")
void fill(int *restrict a, int n) {
    UNROLL
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = i;
}
