/* ORR2302 */
/* says: its text comes out of a macro */
static long PING(long i) { return i; }
#define PING(x) for (long i = 0; i < n; ++i) x[i] = 1; PONG(x)
#define PONG(x) for (long i = 0; i < n; ++i) x[i] += PING(i);
void f(long *x, long n) {
#pragma orrery parallel
    PING(x)
}
