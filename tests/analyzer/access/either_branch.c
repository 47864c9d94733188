/* clang-format off */
/* expect
loop i = 1 .. n - 1
  inner j = 1 .. m - 1
  object a pointer [1L x (long)n] read
  object b pointer [1L x (long)m] read
  object t pointer [(long)m * 4L x (long)n] [4L x (long)m] read written
  object half pointer [(long)m * 4L x (long)n] [4L x (long)m] written
  read a[i] at 34:17 `a[i]`
  read b[j] at 34:25 `b[j]`
  read t[i - 1][j - 1] sometimes at 35:32 `t[(i - 1) * m + j - 1]`
  write t[i][j] sometimes either at 35:17 `t[i * m + j]`
  read a[i] sometimes at 36:22 `a[i]`
  read b[j] sometimes at 36:29 `b[j]`
  read t[i - 1][j] sometimes at 37:32 `t[(i - 1) * m + j]`
  write t[i][j] sometimes either at 37:17 `t[i * m + j]`
  read t[i][j - 1] sometimes at 39:32 `t[i * m + j - 1]`
  write t[i][j] sometimes either at 39:17 `t[i * m + j]`
  read a[i] at 40:17 `a[i]`
  write half[i][j] sometimes at 41:17 `half[i * m + j]`
  read a[i] sometimes at 42:22 `a[i]`
  read b[j] sometimes at 42:29 `b[j]`
  write half[i][j] sometimes at 43:17 `half[i * m + j]`
  captures m a b t half n
  stream value `a[i]` if `1 < m` at 34:17-21 40:17-21 42:22-26
  uses-index
*/
/* clang-format on */
void table(const char *restrict a, const char *restrict b, int n, int m, int *restrict t,
           int *restrict half) {
#pragma orrery parallel
    for (int i = 1; i < n; ++i)
        for (int j = 1; j < m; ++j) {
            if (a[i] == b[j])
                t[i * m + j] = t[(i - 1) * m + j - 1] + 1;
            else if (a[i] > b[j])
                t[i * m + j] = t[(i - 1) * m + j];
            else
                t[i * m + j] = t[i * m + j - 1];
            if (a[i] < 3)
                half[i * m + j] = 1;
            else if (a[i] > b[j])
                half[i * m + j] = 2;
        }
}
