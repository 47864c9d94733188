/* emit: 9 */
/* Temporaries of a function that several loops use, each of which sets them first, were taken for
 * values that a loop hands on. Those that a later statement may read keep the last one. */
#include <stdio.h>

enum { N = 400, K = 6 };
static double W[N][K], H[K][N], X[N][N];
static int a[N], b[N];

static void factors(void) {
    int i, j, k;
    double up, down;
    for (int pass = 0; pass < 3; ++pass) {
#pragma orrery parallel
        for (i = 0; i < N; ++i)
            for (k = 0; k < K; ++k)
                if (W[i][k] != 0) {
                    up = down = 0;
                    for (j = 0; j < N; ++j) {
                        up += X[i][j] * H[k][j];
                        down += H[k][j];
                    }
                    if (down != 0)
                        W[i][k] *= up / down;
                }
#pragma orrery parallel
        for (j = 0; j < N; ++j)
            for (k = 0; k < K; ++k)
                if (H[k][j] != 0) {
                    up = 0;
                    for (i = 0; i < N; ++i)
                        up += X[i][j] * W[i][k];
                    H[k][j] = up / N;
                }
    }
}

static int kept(void) {
    int t = 0;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (b[i] > 3) {
            t = b[i];
            a[i] = t;
        }
    return t;
}

static int kept_when_left(int rounds) {
    int t = 0, s = 0;
    for (int r = 0; r < rounds; ++r) {
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            if (b[i] > 3 + r) {
                t = b[i];
                a[i] += t;
            }
        if (s++ > 1)
            break;
        t = 3;
    }
    return 10 * t + s;
}

static int set_again(int rounds) {
    int t = 0, s = 0;
    for (int r = 0; r < rounds; ++r) {
        s += t;
#pragma orrery parallel
        for (int i = 0; i < N; ++i)
            if (b[i] > r) {
                t = b[i];
                a[i] += t;
            }
        if (s > 1000)
            break;
        t = r;
        if (r == 1)
            continue;
        s += t;
    }
    return s;
}

static int by_case(int c) {
    int t = 0, s = 0;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (b[i] > 3) {
            t = b[i];
            a[i] += t;
        }
    switch (c) {
    case 1:
        t = 2; /* fall through */
    case 2:
        s = t;
        break;
    default:
        s = 1;
    }
    return s;
}

static int as_bound(void) {
    int t = 2;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (b[i] > 3) {
            t = b[i];
            a[i] += t;
        }
    double v[t];
    return (int)sizeof v;
}

static int left_by_goto(int rounds) {
    int t = 0, s = 0, r = 0;
again:
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (b[i] > r) {
            t = b[i];
            a[i] += t;
        }
    if (r == rounds)
        goto end;
    t = ++r;
    s += t;
    goto again;
end:
    return s;
}

static int kept_by_goto(int rounds) {
    int t = 0, s = 0, r = 0;
again:
    s += t;
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (b[i] > r) {
            t = b[i];
            a[i] += t;
        }
    if (r++ < rounds)
        goto again;
    return s;
}

int main(void) {
    for (int i = 0; i < N; ++i) {
        b[i] = i * 7 % 11;
        for (int j = 0; j < N; ++j)
            X[i][j] = (i + j) % 3;
        for (int k = 0; k < K; ++k)
            W[i][k] = H[k][i] = (i + k) % 4;
    }
    factors();
    printf("%d %d %d %d %d %d %d\n", kept(), kept_when_left(1), kept_when_left(9), set_again(5),
           by_case(1), by_case(2), as_bound());
    printf("%d %d\n", left_by_goto(3), kept_by_goto(3));
    double sum = 0;
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < K; ++k)
            sum += W[i][k] * (i + 1) + H[k][i] * k + a[i];
    printf("%a\n", sum);
    return 0;
}
