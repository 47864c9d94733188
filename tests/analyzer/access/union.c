/* clang-format off */
/* expect
loop i = 0 .. n - 1
  object a pointer [4L] read written
  object u pointer [4L x n] read
  read u[i] at 24:11 `u[i]`
  read a[{u[i]}] at 24:9 `a[u[i]].i`
  write a[{u[i]}] at 24:9 `a[u[i]].i`
  read a[i] at 25:9 `a[i].f`
  write a[i] at 25:9 `a[i].f`
  captures a u n
  stream key `u[i]` {u[i]} +0 at 24:11-15
  uses-index
  guard no-overlap `u and a do not overlap`
*/
/* clang-format on */
union v {
    float f;
    int i;
};
void pass(union v *a, const int *u, long n) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        a[u[i]].i += 1;
        a[i].f *= 2;
    }
}
