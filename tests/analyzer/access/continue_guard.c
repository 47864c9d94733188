/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  object r pointer [12L x nnz] read
  object W pointer [4L] read written
  object H pointer [4L] read
  read r[n] bytes 0..4 at 32:13 `r[n].user`
  read r[n] bytes 8..12 sometimes at 34:13 `r[n].value`
  read r[n] bytes 0..4 sometimes at 36:26 `r[n].user`
  read W[{r[n].user}] reduced sometimes at 36:24 `W[r[n].user]`
  read r[n] bytes 4..8 sometimes at 36:41 `r[n].item`
  read H[{r[n].item}] sometimes at 36:39 `H[r[n].item]`
  read r[n] bytes 0..4 sometimes at 36:11 `r[n].user`
  write W[{r[n].user}] reduced sometimes at 36:9 `W[r[n].user]`
  reduction + W array
  captures r W H nnz
  stream value `r[n].user` at 32:13-22
  stream value `r[n].value` if not `r[n].user < 0` at 34:13-23
  stream key `r[n].user` {r[n].user} +0 at 36:26-35 36:11-20
  stream value `H[r[n].item]` if not `r[n].user < 0` if not `r[n].value > 5` at 36:39-51
  guard no-overlap `W and r do not overlap`
  guard no-overlap `H and W do not overlap`
*/
/* clang-format on */
struct rating {
    int user, item;
    float value;
};
void pass(const struct rating *r, long nnz, float *W, float *H) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        if (r[n].user < 0)
            continue;
        if (r[n].value > 5)
            continue;
        W[r[n].user] = W[r[n].user] + H[r[n].item];
    }
}
