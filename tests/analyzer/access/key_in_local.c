/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  object r pointer [12L x nnz] read
  object H pointer [(long)K * 4L] [4L x (long)K] read written
  object W pointer [(long)K * 4L] [4L x (long)K] read written
  object out pointer [4L x nnz] written
  read r[n] bytes 0..4 at 40:17 `r[n].user`
  read r[n] bytes 4..8 at 40:32 `r[n].item`
  read H[{r[n].item}][k] at 42:29 `H[i * K + k]`
  read W[{r[n].user}][k] reduced at 42:13 `W[u * K + k]`
  write W[{r[n].user}][k] reduced at 42:13 `W[u * K + k]`
  read H[{r[n].item}][0] at 43:9 `H[i * K]`
  write H[{r[n].item}][0] at 43:9 `H[i * K]`
  write out[n] at 44:9 `out[n]`
  reduction + W array
  captures r K W H out nnz
  stream key `r[n].user` {r[n].user} +0 at 40:17-26
  stream value `r[n].item` at 40:32-41
  stream key `r[n].item` {r[n].item} +0 at 42:31-32 43:11-12
  uses-index
  guard condition `(long)K >= 1L`
  guard no-overlap `H and r do not overlap`
  guard no-overlap `W and r do not overlap`
  guard no-overlap `W and H do not overlap`
  guard no-overlap `out and r do not overlap`
  guard no-overlap `out and H do not overlap`
  guard no-overlap `out and W do not overlap`
*/
/* clang-format on */
struct rating {
    int user, item;
    float value;
};
/* u only chooses rows: its initializer is the place. i is printed as a value too: its uses are. */
void pass(const struct rating *r, long nnz, float *W, float *H, int K, float *out) {
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        int u = r[n].user, i = r[n].item;
        for (int k = 0; k < K; ++k)
            W[u * K + k] += H[i * K + k];
        H[i * K] *= 2;
        out[n] = i;
    }
}
