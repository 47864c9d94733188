/* expect
loop i = 0 .. n - 1
  object last scalar read written
  object y pointer [4L x n] written
  object x pointer [4L x n] read
  read last at 20:16 `last`
  write y[i] at 20:9 `y[i]`
  read x[i] at 21:16 `x[i]`
  write last at 21:9 `last`
  captures y last x n
  stream value `x[i]` at 21:16-20
  uses-index
  guard no-overlap `x and y do not overlap`
  refusal ORR2201 at 20:16 `last` carries a value from one iteration to the next: it is read here before the iteration sets it (set at line 21, column 9)
*/
void pass(float *y, const float *x, long n) {
    float last = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        y[i] = last;
        last = x[i];
    }
}
