/* clang-format off */
/* expect
loop i = 0 .. n - 1
  inner k = 0 .. 3
  object x pointer [4L x n] read
  object t scalar read written
  object last scalar written
  object k scalar read written
  object y pointer [16L x n] [4L x 4L] written
  read x[i] at 32:13 `x[i]`
  write t at 32:9 `t`
  read t at 33:16 `t`
  write last at 33:9 `last`
  write k at 34:14 `k`
  read t at 35:28 `t`
  read k at 35:23 `k`
  write y[i][k] at 35:13 `y[4 * i + k]`
  private t
  private last last
  private k
  captures t x last k y n
  stream value `x[i]` at 32:13-17
  uses-index
  guard no-overlap `y and x do not overlap`
*/
/* clang-format on */
float pass(const float *x, float *y, long n) {
    float t, last = 0;
    int k;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        t = x[i] * 2;
        last = t;
        for (k = 0; k < 4; ++k)
            y[4 * i + k] = t;
    }
    return last;
}
