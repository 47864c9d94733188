/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object W pointer [(long)K * 4L] [4L x (long)K] read written
  object u pointer [4L x nnz] read
  read u[n] at 20:25 `u[n]`
  read W[{u[n]}][0] at 20:23 `W[u[n] * K]`
  read u[n] at 20:11 `u[n]`
  write W[{u[n]}][0] at 20:9 `W[u[n] * K]`
  captures W u K nnz
  stream key `u[n]` {u[n]} +0 at 20:25-29 20:11-15
  guard condition `(long)K >= 1L`
  guard no-overlap `u and W do not overlap`
*/
/* clang-format on */
/* rows of length zero are one place: not apart unless K is at least 1 */
void pass(const int *u, float *W, int K, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        W[u[n] * K] = W[u[n] * K] * .5f + 1;
}
