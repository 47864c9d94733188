/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object W pointer [(long)K * 4L] [4L x (long)K] read written
  object u pointer [4L x nnz] read
  object i pointer [4L x nnz] read
  object H pointer [(long)K * 4L] [4L x (long)K] read
  object x pointer [4L x nnz] read
  read u[n] at 29:24 `u[n]`
  read i[n] at 30:20 `i[n]`
  read W[{u[n]} - 1][k] at 32:20 `w[k]`
  read H[{i[n]} - 1][k] at 32:27 `H[item * K + k]`
  read x[n] at 32:45 `x[n]`
  write W[{u[n]} - 1][k] at 32:13 `w[k]`
  captures W u K i H x nnz
  stream key `u[n]` {u[n]} +0 at 29:24-28
  stream key `i[n]` {i[n]} +0 at 30:20-24
  stream value `x[n]` if `0 < K` at 32:45-49
  guard no-overlap `u and W do not overlap`
  guard no-overlap `i and W do not overlap`
  guard no-overlap `H and W do not overlap`
  guard no-overlap `x and W do not overlap`
*/
/* clang-format on */
void pass(const int *u, const int *i, const float *x, long nnz, float *W, float *H, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = &W[(u[n] - 1) * K];
        int item = i[n] - 1;
        for (int k = 0; k < K; ++k)
            w[k] = w[k] * H[item * K + k] - x[n];
    }
}
