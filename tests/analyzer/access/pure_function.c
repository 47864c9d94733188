/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object W pointer [4L] read written
  object u pointer [4L x nnz] read
  read u[n] at 19:36 `u[n]`
  read W[{(u[n] * 31 + 7) % 1024}] at 19:27 `W[bucket(u[n])]`
  read u[n] at 19:18 `u[n]`
  write W[{(u[n] * 31 + 7) % 1024}] at 19:9 `W[bucket(u[n])]`
  captures W u nnz
  stream key `(u[n] * 31 + 7) % 1024` {(u[n] * 31 + 7) % 1024} +0 at 19:29-41 19:11-23
  guard no-overlap `u and W do not overlap`
*/
/* clang-format on */
static int bucket(int x);
void pass(const int *u, long nnz, float *W) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        W[bucket(u[n])] = W[bucket(u[n])] * .5f + 1;
}
static int bucket(int x) {
    return (x * 31 + 7) % 1024;
}
