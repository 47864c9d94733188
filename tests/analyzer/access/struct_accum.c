/* clang-format off */
/* expect
loop i = 0 .. n - 1
  object x pointer [4L x n] read
  object s.loss scalar read written
  object s.n scalar read written
  object y pointer [4L x n] written
  read x[i] at 30:19 `x[i]`
  read s.loss reduced at 30:9 `s.loss`
  write s.loss reduced at 30:9 `s.loss`
  read s.n at 31:16 `s.n`
  write y[i] at 31:9 `y[i]`
  read s.n at 32:9 `s.n`
  write s.n at 32:9 `s.n`
  reduction + s.loss
  captures s x y n
  stream value `x[i]` at 30:19-23
  uses-index
  guard no-overlap `y and x do not overlap`
*/
/* clang-format on */
struct st {
    double loss;
    long n;
};
double pass(const float *x, float *y, long n) {
    struct st s = {0, 0};
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        s.loss += x[i];
        y[i] = s.n;
        s.n++;
    }
    return s.loss;
}
