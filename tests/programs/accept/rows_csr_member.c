/* expect: parallel independent ordered
 * carried: none
 * guard: m->val from m->ptr[i] to before m->ptr[i + 1], as when m->ptr is monotone
 */
struct csr {
    int rows;
    int *ptr;
    double *val;
};
void scale(struct csr *m, const double *g) {
#pragma orrery parallel
    for (int i = 0; i < m->rows; ++i)
        for (int p = m->ptr[i]; p < m->ptr[i + 1]; ++p)
            m->val[p] *= g[i];
}
