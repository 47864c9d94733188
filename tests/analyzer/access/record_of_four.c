/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object r pointer [16L x nnz] [4L x 4L] read
  object W pointer [4L] read written
  read r[n][3] at 22:13 `r[n][3]`
  read r[n][0] sometimes at 23:28 `r[n][0]`
  read W[{r[n][0]}] sometimes at 23:26 `W[r[n][0]]`
  read r[n][2] sometimes at 23:39 `r[n][2]`
  read r[n][0] sometimes at 23:15 `r[n][0]`
  write W[{r[n][0]}] sometimes at 23:13 `W[r[n][0]]`
  captures r W nnz
  stream value `r[n][3]` at 22:13-20
  stream key `r[n][0]` {r[n][0]} +0 if `r[n][3]` at 23:28-35 23:15-22
  stream value `r[n][2]` if `r[n][3]` at 23:39-46
  guard no-overlap `W and r do not overlap`
*/
/* clang-format on */
void pass(int (*r)[4], long nnz, float *W) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n)
        if (r[n][3])
            W[r[n][0]] = W[r[n][0]] * r[n][2] + 1;
}
