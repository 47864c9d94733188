/* expect: serial ORR2112 7:22 `val[p]` */
/* rows of unlike length that all begin at 0 */
void f(const int *len, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = 0; p < len[i]; ++p)
            val[p] = val[p] * .5 + 1;
}
