//= f depth 1 at 14:23-14:61 macro: declared n = 0; < nnz; +1 pragma parallel
//= f depth 1 at 15:5-15:55: declared n = 0; < 100; +1
//= f depth 1 at 16:5-16:43: declared q = 0; < nnz; +1
//= f depth 1 at 17:5-17:44 inexact: declared q = 0; < nnz; +1
//? W[r[n].user * 8 + 3] += 1.0f
//? put(r[n].item)
#define ORRERY_PARALLEL(...)
#define EACH(i, n) for (long i = 0; i < n; ++i)
#define W_(u, k) W[(u) * 8 + (k)]
#define ZERO(i) { x[i] = 0; }
#define BOTH(i) put(i); put(-1)
struct rating { int user, item; };
void put(int); void f(struct rating *r, float *W, int *x, long nnz) {
    ORRERY_PARALLEL() EACH(n, nnz) W_(r[n].user, 3) += 1.0f;
    for (long n = 0; n < 100; ++n) { put(r[n].item); }
    EACH(q, nnz) ZERO(q)
    for (long q = 0; q < nnz; ++q) BOTH(3);
}
