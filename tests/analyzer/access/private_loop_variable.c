/* clang-format off */
/* expect
loop k = 0 .. 3
  object y pointer [4L x 4L] written
  write y[k] at 14:9 `y[k]`
  captures y
  uses-index
*/
/* clang-format on */
float pass(const float *x, float *y, long n) {
    int k;
    float t;
    for (k = 0; k < 4; ++k)
        y[k] = 0;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        t = x[i];
        if (t > 0)
            for (k = 0; k < 4; ++k)
                y[4 * i + k] = t;
    }
    for (k = 0, t = 0; k < 4; ++k)
        t += y[k];
    return t;
}
