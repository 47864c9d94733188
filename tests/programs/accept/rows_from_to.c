/* expect: parallel independent ordered
 * carried: none
 * guard: no two iterations share an element of val from r[i].from to before r[i].to
 */
struct row {
    int from, to;
};
void scale(const struct row *r, double *val, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int k = r[i].from; k < r[i].to; ++k)
            val[k] = val[k] * .5 + i;
}
