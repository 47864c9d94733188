/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object W pointer [(long)K * 4L + 4L] [4L x (long)K + 1L] read written
  object u pointer [4L x nnz] read
  read u[n] at 20:35 `u[n]`
  read W[{u[n]}][K] at 20:33 `W[u[n] * (K + 1) + K]`
  read u[n] at 20:11 `u[n]`
  write W[{u[n]}][K] at 20:9 `W[u[n] * (K + 1) + K]`
  captures W u K nnz
  stream key `u[n]` {u[n]} +0 at 20:35-39 20:11-15
  guard condition `(long)K >= 0L`
  guard no-overlap `u and W do not overlap`
*/
/* clang-format on */
/* the last place of a row: only apart from the next row's when K is not negative */
void pass(const int *u, long nnz, float *W, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        W[u[n] * (K + 1) + K] = W[u[n] * (K + 1) + K] * .5f + 1;
}
