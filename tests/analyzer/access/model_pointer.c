/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. m->k - 1
  object m->H scalar read not-captured
  object m->W scalar read not-captured
  object m->k scalar read not-captured
  object m->loss scalar read written not-captured
  object m->H pointer [(long)m->k * 4L] [4L x (long)m->k] read not-captured
  object i pointer [4L x nnz] read
  object m->W pointer [(long)m->k * 4L] [4L x (long)m->k] written not-captured
  object u pointer [4L x nnz] read
  read m->k at 49:29 `m->k`
  read m->H at 50:37 `m->H`
  read i[n] at 50:42 `i[n]`
  read m->k at 50:49 `m->k`
  read m->H[{i[n]}][k] at 50:37 `m->H[i[n] * m->k + k]`
  read m->W at 50:13 `m->W`
  read u[n] at 50:18 `u[n]`
  read m->k at 50:25 `m->k`
  write m->W[{u[n]}][k] at 50:13 `m->W[u[n] * m->k + k]`
  read m->loss reduced at 51:9 `m->loss`
  write m->loss reduced at 51:9 `m->loss`
  reduction + m->loss
  captures m u i nnz
  stream key `i[n]` {i[n]} +0 if `0 < m->k` at 50:42-46
  stream key `u[n]` {u[n]} +0 if `0 < m->k` at 50:18-22
  uses-index
  guard no-overlap `m->H and m->loss do not overlap`
  guard no-overlap `i and m->loss do not overlap`
  guard no-overlap `m->W and the pointer m->H do not overlap`
  guard no-overlap `m->W and the pointer m->W do not overlap`
  guard no-overlap `m->W and m->k do not overlap`
  guard no-overlap `m->W and m->loss do not overlap`
  guard no-overlap `m->W and m->H do not overlap`
  guard no-overlap `m->W and i do not overlap`
  guard no-overlap `u and m->loss do not overlap`
  guard no-overlap `u and m->W do not overlap`
*/
/* clang-format on */
struct model {
    float *W, *H;
    int k;
    double loss;
};
void pass(struct model *m, const int *u, const int *i, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        for (int k = 0; k < m->k; ++k)
            m->W[u[n] * m->k + k] = m->H[i[n] * m->k + k] * .5f;
        m->loss += n;
    }
}
