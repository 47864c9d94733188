/* expect: parallel partition-1d ordered
 * dims: idx[i / 2]
 * carried a: idx[i / 2]=0
 */
/* the same place of the index array is read twice: a key after all */
void f(const int *idx, double *a, double *b, const int *jdx, int n) {
#pragma orrery parallel assume(injective(idx)) assume(injective(jdx))
    for (int i = 0; i < n; ++i) {
        a[idx[i / 2]] = a[idx[i / 2]] * .5 + 1;
        b[jdx[i]] = b[jdx[i]] + a[idx[i / 2]];
    }
}
