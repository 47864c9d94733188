/* expect
loop i = 0 .. n - 1
  inner k = 0 .. 3
  object x pointer [4L x n] read
  object t scalar read written
  object last scalar written
  object k scalar read written
  object y pointer [16L x n] [4L x 4L] written
  read x[i] at 30:13 `x[i]`
  write t at 30:9 `t`
  read t at 31:16 `t`
  write last at 31:9 `last`
  write k at 32:14 `k`
  read t at 33:28 `t`
  read k at 33:23 `k`
  write y[i][k] at 33:13 `y[4 * i + k]`
  private t
  private last last
  private k
  captures t x last k y n
  stream value `x[i]` at 30:13-17
  uses-index
  guard no-overlap `y and x do not overlap`
*/
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
