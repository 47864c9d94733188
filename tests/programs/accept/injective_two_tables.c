/* expect: parallel independent ordered
 * carried: none
 */
/* two tables, each through its own index: as ordered as one likes when nothing comes twice */
void both(const int *idx, const int *jdx, double *a, double *b, int n) {
#pragma orrery parallel assume(injective(idx)) assume(injective(jdx))
    for (int c = 0; c < n; ++c) {
        a[idx[c]] = a[idx[c]] * .5 + c;
        b[jdx[c]] = b[jdx[c]] * .5 + c;
    }
}
