/* ORR2290 */
/* says: the macro `n` has the name of something that the loop uses */
static int n = 40;
#define n (n + 7)
void clear(int *a) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = 0;
}
