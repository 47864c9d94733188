/* clang-format off */
/* expect
loop n = 0 .. nnz - 1
  inner k = 0 .. K - 1
  inner k = 0 .. K - 1
  object W pointer [(long)K * 4L] [4L x (long)K] read written
  object r pointer [12L x nnz] read
  object H pointer [(long)K * 4L] [4L x (long)K] read written
  object loss scalar read written
  read r[n] bytes 0..4 at 42:32 `r[n].user`
  read r[n] bytes 4..8 at 42:64 `r[n].item`
  read r[n] bytes 8..12 at 43:19 `r[n].value`
  read W[{r[n].user}][k] at 45:18 `w[k]`
  read H[{r[n].item}][k] at 45:25 `h[k]`
  read loss reduced at 46:9 `loss`
  write loss reduced at 46:9 `loss`
  read W[{r[n].user}][k] at 48:24 `w[k]`
  read H[{r[n].item}][k] at 49:32 `h[k]`
  read W[{r[n].user}][k] at 49:13 `w[k]`
  write W[{r[n].user}][k] at 49:13 `w[k]`
  read H[{r[n].item}][k] at 50:13 `h[k]`
  write H[{r[n].item}][k] at 50:13 `h[k]`
  reduction + loss
  captures W r K H loss rate nnz
  stream key `r[n].user` {r[n].user} +0 at 42:32-41
  stream key `r[n].item` {r[n].item} +0 at 42:64-73
  stream value `r[n].value` at 43:19-29
  guard no-overlap `r and W do not overlap`
  guard no-overlap `H and W do not overlap`
  guard no-overlap `H and r do not overlap`
*/
/* clang-format on */
#include <stddef.h>
struct rating {
    int user, item;
    float value;
};
double pass(const struct rating *r, long nnz, float *W, float *H, int K, float rate) {
    double loss = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < nnz; ++n) {
        float *w = W + (size_t)r[n].user * K, *h = H + (size_t)r[n].item * K;
        float e = r[n].value;
        for (int k = 0; k < K; ++k)
            e -= w[k] * h[k];
        loss += e * e;
        for (int k = 0; k < K; ++k) {
            float wk = w[k];
            w[k] += rate * e * h[k];
            h[k] += rate * e * wk;
        }
    }
    return loss;
}
