/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object W pointer [4L] written
  object u pointer [4L x nnz + 1L] read written
  read u[n] at 20:11 `u[n]`
  write W[?] at 20:9 `W[u[n]]`
    why: `u[n]` is read from memory the loop writes (line 21)
  read u[n] at 21:20 `u[n]`
  write u[n + 1] at 21:9 `u[n + 1]`
  captures W u nnz
  uses-index
  guard no-overlap `u and W do not overlap`
  refusal ORR2204 at 20:9 the elements of `W` that `W[u[n]]` touches are chosen by data that the loop changes: `u[n]` is read from memory the loop writes (line 21)
*/
/* clang-format on */
void pass(int *u, float *W, long nnz) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        W[u[n]] = 1;
        u[n + 1] = u[n];
    }
}
