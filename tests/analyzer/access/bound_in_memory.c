/* clang-format off */
/* expect
loop i = 0 .. m->n - 1
  object m->n scalar read not-captured
  object x pointer [4L x (long)m->n] written
  read m->n at 22:25 `m->n`
  write x[i] at 23:9 `x[i]`
  captures x m
  uses-index
  guard no-overlap `x and m->n do not overlap`
*/
/* clang-format on */

/* What the bound reads must not change while the loop runs: x may be where m->n stands. */
struct model {
    int n;
    float *w;
};

void clear(struct model *m, int *x) {
#pragma orrery parallel
    for (int i = 0; i < m->n; i++)
        x[i] = i;
}
