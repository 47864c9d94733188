/* clang-format off */
/* expect
loop i = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object A pointer [(long)K * 4L] [4L x (long)K] read written not-captured
  object u pointer [4L x nnz] read
  object H pointer [(long)K * 4L] [4L x (long)K] read written
  object v pointer [4L x nnz] read
  read u[i] at 32:25 `u[i]`
  read A[{u[i]}][k] at 32:23 `W[u[i] * K + k]`
  read v[i] at 33:34 `v[i]`
  read H[{v[i]}][k] at 33:32 `H[v[i] * K + k]`
  read u[i] at 33:15 `u[i]`
  read A[{u[i]}][k] at 33:13 `W[u[i] * K + k]`
  write A[{u[i]}][k] at 33:13 `W[u[i] * K + k]`
  read v[i] at 34:15 `v[i]`
  read H[{v[i]}][k] at 34:13 `H[v[i] * K + k]`
  write H[{v[i]}][k] at 34:13 `H[v[i] * K + k]`
  captures K W u H v nnz A
  stream key `u[i]` {u[i]} +0 if `0 < K` at 32:25-29 33:15-19
  stream key `v[i]` {v[i]} +0 if `0 < K` at 33:34-38 34:15-19
  guard no-overlap `H and A do not overlap`
*/
/* clang-format on */
#include <stdlib.h>
void pass(const int *u, const int *v, long nnz, int n, int m, int K) {
    float *A = malloc((size_t)(n + m) * K * sizeof *A);
    float *W = A, *H = A + n * K;
#pragma orrery parallel unordered
    for (long i = 0; i < nnz; ++i)
        for (int k = 0; k < K; ++k) {
            float w = W[u[i] * K + k];
            W[u[i] * K + k] += H[v[i] * K + k];
            H[v[i] * K + k] -= w;
        }
    free(A);
}
