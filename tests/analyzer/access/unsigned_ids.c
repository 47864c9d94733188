/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object W pointer [4L] read written
  object u pointer [4L x nnz] read
  read u[n] at 19:25 `u[n]`
  read W[{u[n] - 1}] at 19:23 `W[u[n] - 1]`
  read u[n] at 19:11 `u[n]`
  write W[{u[n] - 1}] at 19:9 `W[u[n] - 1]`
  captures W u nnz
  stream key `u[n] - 1` {u[n] - 1} +0 at 19:25-33 19:11-19
  guard no-overlap `u and W do not overlap`
*/
/* clang-format on */
/* u - 1 wraps for 0: the key is the whole expression */
void pass(const unsigned *u, long nnz, float *W) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        W[u[n] - 1] = W[u[n] - 1] * .5f + 1;
}
