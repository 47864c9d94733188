/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object W pointer [8L] read
  object u pointer [4L x nnz] read
  object W rows [table] [4L x (long)K] read written
  object H pointer [8L x (long)K] read
  object H rows [table x (long)K] [4L] read written
  object i pointer [4L x nnz] read
  read u[n] at 43:25 `u[n]`
  read W[{u[n]}] at 43:23 `W[u[n]]`
  read W[{u[n]}][k] at 43:23 `W[u[n]][k]`
  read H[k] at 44:26 `H[k]`
  read i[n] at 44:31 `i[n]`
  read H[k][{i[n]}] at 44:26 `H[k][i[n]]`
  read u[n] at 44:15 `u[n]`
  read W[{u[n]}] at 44:13 `W[u[n]]`
  write W[{u[n]}][k] at 44:13 `W[u[n]][k]`
  read H[k] at 45:13 `H[k]`
  read i[n] at 45:18 `i[n]`
  write H[k][{i[n]}] at 45:13 `H[k][i[n]]`
  captures K W u H i nnz
  stream key `u[n]` {u[n]} +0 if `0 < K` at 43:25-29 44:15-19
  stream key `i[n]` {i[n]} +0 if `0 < K` at 44:31-35 45:18-22
  guard rows-disjoint `the rows of W do not overlap`
  guard no-overlap `the rows of W and W do not overlap`
  guard no-overlap `the rows of W and u do not overlap`
  guard no-overlap `H and the rows of W do not overlap`
  guard rows-disjoint `the rows of H do not overlap`
  guard no-overlap `the rows of H and W do not overlap`
  guard no-overlap `the rows of H and u do not overlap`
  guard no-overlap `the rows of H and the rows of W do not overlap`
  guard no-overlap `the rows of H and H do not overlap`
  guard no-overlap `i and the rows of W do not overlap`
  guard no-overlap `i and the rows of H do not overlap`
*/
/* clang-format on */
void pass(const int *u, const int *i, long nnz, int K, float **W, float **H) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        for (int k = 0; k < K; ++k) {
            float t = W[u[n]][k];
            W[u[n]][k] = H[k][i[n]];
            H[k][i[n]] = t;
        }
}
