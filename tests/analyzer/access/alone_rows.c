/* clang-format off */
/* expect
loop i = 0 .. n - 1
  object rows pointer [8L x (long)n] read
  object rows.values rows [table x (long)n] [4L x 1L] read
  object a pointer [4L x (long)n] read written
  object b pointer [4L x (long)n] written
  read rows[i] at 29:16 `rows[i].values`
  read rows.values[i][0] at 29:16 `rows[i].values[0]`
  write a[i] at 29:9 `a[i]`
  read a[i] at 30:16 `a[i]`
  write b[i] at 30:9 `b[i]`
  captures a rows b n
  stream value `rows[i].values[0]` at 29:16-33
  uses-index
  guard no-overlap `b and the rows of rows.values do not overlap`
*/
/* clang-format on */
#include <stdlib.h>
struct row {
    float *values;
};
/* Nobody else has the address of a; that of b is in memory. */
float last(struct row *rows, int n) {
    float *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    rows[0].values = b;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        a[i] = rows[i].values[0];
        b[i] = a[i] + 1;
    }
    return a[n - 1];
}
