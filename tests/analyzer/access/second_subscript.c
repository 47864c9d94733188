/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. 7
  object W pointer [32L] [4L x 8L] read written
  object u pointer [4L x nnz] read
  object H pointer [(long)M * 4L x 8L] [4L x (long)M] read written
  object i pointer [4L x nnz] read
  object G pointer [(long)M * 4L x 8L] [4L x (long)M] read written
  read u[n] at 43:25 `u[n]`
  read W[{u[n]}][k] at 43:23 `W[u[n]][k]`
  read i[n] at 44:31 `i[n]`
  read H[k][{i[n]}] at 44:26 `H[k][i[n]]`
  read u[n] at 44:15 `u[n]`
  write W[{u[n]}][k] at 44:13 `W[u[n]][k]`
  read i[n] at 45:36 `i[n]`
  read G[k][{i[n]}] at 45:26 `G[k * M + i[n]]`
  read i[n] at 45:18 `i[n]`
  write H[k][{i[n]}] at 45:13 `H[k][i[n]]`
  read i[n] at 46:23 `i[n]`
  write G[k][{i[n]}] at 46:13 `G[k * M + i[n]]`
  captures W u H M i G nnz
  stream key `u[n]` {u[n]} +0 at 43:25-29 44:15-19
  stream key `i[n]` {i[n]} +0 at 44:31-35 45:36-40 45:18-22 46:23-27
  guard key-range `(long)i[n] >= 0L`
  guard key-range `(long)M >= (long)i[n] + 1L`
  guard no-overlap `u and W do not overlap`
  guard no-overlap `H and W do not overlap`
  guard no-overlap `H and u do not overlap`
  guard no-overlap `i and W do not overlap`
  guard no-overlap `i and H do not overlap`
  guard no-overlap `G and W do not overlap`
  guard no-overlap `G and u do not overlap`
  guard no-overlap `G and H do not overlap`
  guard no-overlap `G and i do not overlap`
*/
/* clang-format on */
void pass(const int *u, const int *i, long nnz, int K, int M, float W[][8], float H[K][M],
          float *G) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        for (int k = 0; k < 8; ++k) {
            float t = W[u[n]][k];
            W[u[n]][k] = H[k][i[n]];
            H[k][i[n]] = G[k * M + i[n]];
            G[k * M + i[n]] = t;
        }
}
