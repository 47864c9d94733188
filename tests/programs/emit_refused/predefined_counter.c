/* ORR2289 */
/* says: its body uses `__COUNTER__`, which would be another number where the body moves to */
void f(int *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] += __COUNTER__;
}
