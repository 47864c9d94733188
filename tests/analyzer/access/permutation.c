/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object perm pointer [8L x nnz] read
  object W pointer [(long)K * 8L] [8L x (long)K] read written
  object r pointer [12L] read
  read perm[n] at 29:18 `perm[n]`
  read r[{perm[n]}] bytes 0..4 at 31:50 `r[i].user`
  read W[{r[perm[n]].user}][k] at 31:42 `W[(long)r[i].user * K + k]`
  read r[{perm[n]}] bytes 8..12 at 31:71 `r[i].value`
  read r[{perm[n]}] bytes 0..4 at 31:21 `r[i].user`
  write W[{r[perm[n]].user}][k] at 31:13 `W[(long)r[i].user * K + k]`
  captures perm K W r nnz
  stream key `perm[n]` {perm[n]} +0 at 29:18-25
  stream key `r[perm[n]].user` {r[perm[n]].user} +0 if `0 < K` at 31:50-59 31:21-30
  stream value `r[perm[n]].value` if `0 < K` at 31:71-81
  guard no-overlap `W and perm do not overlap`
  guard no-overlap `r and W do not overlap`
*/
/* clang-format on */
struct rating {
    int user, item;
    float value;
};
void pass(const struct rating *r, const long *perm, long nnz, double *W, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        long i = perm[n];
        for (int k = 0; k < K; ++k)
            W[(long)r[i].user * K + k] = W[(long)r[i].user * K + k] * r[i].value + 1;
    }
}
