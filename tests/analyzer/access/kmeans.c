/* clang-format off */
/* expect
loop i = 0 .. rows - 1
  inner k = 0 .. K - 1
  inner j = 0 .. D - 1
  inner j = 0 .. D - 1
  object x pointer [(long)D * 4L x rows] [4L x (long)D] read
  object c pointer [(long)D * 4L x (long)K] [4L x (long)D] read
  object assign pointer [4L x rows] written
  object count pointer [8L] read written
  object sum pointer [8L] read written
  object inertia scalar read written
  read x[i][j] at 55:23 `x[i * D + j]`
  read c[k][j] at 55:38 `c[k * D + j]`
  read x[i][j] at 55:55 `x[i * D + j]`
  read c[k][j] at 55:70 `c[k * D + j]`
  write assign[i] at 61:9 `assign[i]`
  read count[?] reduced at 62:9 `count[best]`
    why: `best` changes in a loop inside
  write count[?] reduced at 62:9 `count[best]`
    why: `best` changes in a loop inside
  read x[i][j] at 64:34 `x[i * D + j]`
  read sum[?] reduced at 64:13 `sum[best * D + j]`
    why: `best` changes in a loop inside
  write sum[?] reduced at 64:13 `sum[best * D + j]`
    why: `best` changes in a loop inside
  read inertia reduced at 65:9 `inertia`
  write inertia reduced at 65:9 `inertia`
  reduction + count array
  reduction + sum array
  reduction + inertia
  captures K D x c assign count sum inertia rows
  uses-index
  guard no-overlap `assign and x do not overlap`
  guard no-overlap `assign and c do not overlap`
  guard no-overlap `count and x do not overlap`
  guard no-overlap `count and c do not overlap`
  guard no-overlap `count and assign do not overlap`
  guard no-overlap `sum and x do not overlap`
  guard no-overlap `sum and c do not overlap`
  guard no-overlap `sum and assign do not overlap`
  guard no-overlap `sum and count do not overlap`
*/
/* clang-format on */
void pass(const float *x, const float *c, int *assign, long *count, double *sum, long rows, int K,
          int D, double *result) {
    double inertia = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < rows; ++i) {
        int best = 0;
        float bd = 1e30f;
        for (int k = 0; k < K; ++k) {
            float d = 0;
            for (int j = 0; j < D; ++j)
                d += (x[i * D + j] - c[k * D + j]) * (x[i * D + j] - c[k * D + j]);
            if (d < bd) {
                bd = d;
                best = k;
            }
        }
        assign[i] = best;
        count[best]++;
        for (int j = 0; j < D; j++)
            sum[best * D + j] += x[i * D + j];
        inertia += bd;
    }
    *result = inertia;
}
