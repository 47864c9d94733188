/* expect: parallel partition-1d unordered
 * keys: 2
 * guards: none
 * assumed: 0 <= r[i].item && r[i].item < m->items
 */
struct rating {
    int user, item;
};
struct model {
    int items;
    double *table;
};
void f(const struct rating *restrict r, const struct model *m, double *restrict M, int n) {
#pragma orrery parallel unordered assume(range(r[i].item, 0, m->items))
    for (int i = 0; i < n; ++i)
        M[r[i].user * m->items + r[i].item] = M[r[i].user * m->items + r[i].item] * .5 + i;
}
