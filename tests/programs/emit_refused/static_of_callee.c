/* ORR2288 */
/* says: it uses `memo`, a static variable of the function `memo_of` */
static int memo_of(int i) {
    static int memo[1000];
    if (!memo[i])
        memo[i] = 2 * i + 1;
    return memo[i];
}
void f(int *a, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] = memo_of(i);
}
