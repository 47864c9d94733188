/* clang-format off */
/* expect
loop i = 0 .. n - 1
  object last scalar read written
  object y pointer [4L x n] written
  object x pointer [4L x n] read
  read last at 22:16 `last`
  write y[i] at 22:9 `y[i]`
  read x[i] at 23:16 `x[i]`
  write last at 23:9 `last`
  captures y last x n
  stream value `x[i]` at 23:16-20
  uses-index
  guard no-overlap `x and y do not overlap`
  refusal ORR2201 at 22:16 `last` carries a value from one iteration to the next: it is read here before the iteration sets it (set at line 23, column 9)
*/
/* clang-format on */
void pass(float *y, const float *x, long n) {
    float last = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        y[i] = last;
        last = x[i];
    }
}
