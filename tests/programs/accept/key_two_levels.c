/* expect: parallel partition-1d ordered
 * dims: b[c[i]]
 * carried a: b[c[i]]=0
 */
/* the key is the whole expression */
void f(double *a, const int *b, const int *c, long n) {
#pragma orrery parallel
    for (long i = 0; i < n; ++i)
        a[b[c[i]]] = a[b[c[i]]] * .5 + i;
}
