/* clang-format off */
/* expect
loop i = 0 .. rows - 1
  inner j = 0 .. D - 1
  object x pointer [(long)D * 4L x rows] [4L x (long)D] read
  object y pointer [4L x rows] written
  read x[i][j] at 20:18 `*p++`
  write y[i] at 21:9 `y[i]`
  captures x D y rows
  uses-index
  guard no-overlap `y and x do not overlap`
*/
/* clang-format on */
float pass(const float *x, float *y, long rows, int D) {
#pragma orrery parallel
    for (long i = 0; i < rows; ++i) {
        const float *p = x + i * D;
        float s = 0;
        for (int j = 0; j < D; ++j)
            s += *p++;
        y[i] = s;
    }
    return y[0];
}
