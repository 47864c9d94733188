/* expect: serial ORR2110 6:21 `a[idx[i]]` */
/* two elements beside each key */
void f(const int *idx, double *a, int n) {
#pragma orrery parallel unordered assume(injective(idx))
    for (int i = 0; i < n; ++i) {
        a[idx[i]] = a[idx[i]] * .5 + 1;
        a[idx[i] + 1] = i;
    }
}
