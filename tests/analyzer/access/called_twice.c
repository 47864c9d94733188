/* expect
loop i = 0 .. n - 1
  object W pointer [8L] [4L x 2L] read written
  object p pointer [8L x n] read
  object G pointer [8L] [4L x 2L] read written
  read p[i] bytes 0..4 at 39:30 `p[i].u`
  read p[i] bytes 0..4 at 39:57 `p[i].u`
  read W[{p[i].u}][0] at 40:31 `w[0]`
  read G[{p[i].u}][0] called at 31:17 `*sum`
  read W[{p[i].u}][0] called at 31:5 `w[0]`
  write W[{p[i].u}][0] called at 31:5 `w[0]`
  read G[{p[i].u}][0] called at 32:5 `*sum`
  write G[{p[i].u}][0] called at 32:5 `*sum`
  read G[{p[i].u}][1] sometimes called at 31:17 `*sum`
  read W[{p[i].u}][1] sometimes called at 31:5 `w[0]`
  write W[{p[i].u}][1] sometimes called at 31:5 `w[0]`
  read G[{p[i].u}][1] sometimes called at 32:5 `*sum`
  write G[{p[i].u}][1] sometimes called at 32:5 `*sum`
  captures W p G rate rest n
  stream key `p[i].u` {p[i].u} +0 at 39:30-36 39:57-63
  guard no-overlap `p and W do not overlap`
  guard no-overlap `G and W do not overlap`
  guard no-overlap `G and p do not overlap`
*/
struct pair {
    int u, v;
};

static void step(float *row, float e, float *sum) {
    float *w = row;
    w[0] += e / *sum;
    *sum += e * e;
}

/* The function is called twice, the second time under a condition, with other rows of one key. */
void pass(const struct pair *p, float *W, float *G, long n, float rate, int rest) {
#pragma orrery parallel unordered
    for (long i = 0; i < n; ++i) {
        float *w = W + (long)p[i].u * 2, *g = G + (long)p[i].u * 2;
        float e = rate * (1 - w[0]);
        step(w, e, g);
        if (rest)
            step(w + 1, e, g + 1);
    }
}
