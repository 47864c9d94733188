/* ORR2289 */
/* says: a macro in its body names the function that it stands in */
#define WHERE __func__[0]
void f(int *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] += WHERE;
}
