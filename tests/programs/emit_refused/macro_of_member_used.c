/* ORR2290 */
/* says: the macro `base` has the name of something that stands in the text which is emitted for it */
#define base 3
void fill(int *restrict a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = base + i;
}
