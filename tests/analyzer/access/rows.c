/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object H pointer [8L] read
  object v pointer [4L x nnz] read
  object H rows [table] [4L x (long)K] read written
  object W pointer [8L] read
  object u pointer [4L x nnz] read
  object W rows [table] [4L x (long)K] read written
  read v[n] at 42:22 `v[n]`
  read H[{v[n]}] at 42:20 `H[v[n]]`
  read u[n] at 44:25 `u[n]`
  read W[{u[n]}] at 44:23 `W[u[n]]`
  read W[{u[n]}][k] at 44:23 `W[u[n]][k]`
  read H[{v[n]}][k] at 45:27 `h[k]`
  read u[n] at 45:15 `u[n]`
  read W[{u[n]}] at 45:13 `W[u[n]]`
  read W[{u[n]}][k] at 45:13 `W[u[n]][k]`
  write W[{u[n]}][k] at 45:13 `W[u[n]][k]`
  read H[{v[n]}][k] at 46:13 `h[k]`
  write H[{v[n]}][k] at 46:13 `h[k]`
  captures H v K W u nnz
  stream key `v[n]` {v[n]} +0 at 42:22-26
  stream key `u[n]` {u[n]} +0 if `0 < K` at 44:25-29 45:15-19
  guard rows-disjoint `the rows of H do not overlap`
  guard no-overlap `the rows of H and H do not overlap`
  guard no-overlap `the rows of H and v do not overlap`
  guard no-overlap `W and the rows of H do not overlap`
  guard no-overlap `u and the rows of H do not overlap`
  guard rows-disjoint `the rows of W do not overlap`
  guard no-overlap `the rows of W and H do not overlap`
  guard no-overlap `the rows of W and v do not overlap`
  guard no-overlap `the rows of W and the rows of H do not overlap`
  guard no-overlap `the rows of W and W do not overlap`
  guard no-overlap `the rows of W and u do not overlap`
*/
/* clang-format on */
void pass(const int *u, const int *v, long nnz, float **W, float **H, int K) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *h = H[v[n]];
        for (int k = 0; k < K; ++k) {
            float t = W[u[n]][k];
            W[u[n]][k] += h[k];
            h[k] -= t;
        }
    }
}
