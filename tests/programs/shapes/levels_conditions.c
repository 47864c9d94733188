/* What iterations touch by levels under conditions: told by the data, by what the loop writes, by the pass, in a called
 * function, behind `continue`, behind a link that may be missing, in loops inside.
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * loop: parallel levels
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
enum { N = 3000, R = 400 };
static double w[R][4], seldom[4], other[R];
static int key[N], flag[N], link[N], ptr[N + 1], col[6 * N], *few;
static void by_data(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        if (flag[i] > 97)
            for (int k = 0; k < 4; ++k)
                seldom[k] = .9 * seldom[k] + w[key[i]][k];
        if (flag[i] % 3 == 1)
            continue;
        for (int k = 0; k < 4; ++k)
            w[key[i]][k] -= .01 * w[(key[i] + 7) % R][3 - k];
    }
}
static void by_what_is_written(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int to = flag[i];
        if (other[key[i]] > .5)
            w[to][0] = .5 * w[key[i]][0] + w[(key[i] + to) % R][1];
        other[key[i]] = other[key[i]] > .5 ? .25 * other[key[i]] : other[key[i]] + .2;
    }
}
static void by_pass(int pass) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        if (pass % 2 && flag[i] < 50)
            w[key[i]][1] = .5 * w[key[i]][1] + other[(key[i] + 1) % R];
        if (flag[i] >= 50 || !(pass % 2))
            other[key[i]] = .5 * other[key[i]] + w[(key[i] + 3) % R][1];
    }
}
static void pull(int i, int to) {
    if (to < 0)
        return;
    if (flag[i] & 1)
        other[key[i]] = .5 * other[key[i]] + other[to];
    else
        other[to] = .5 * other[to] + .125 * other[key[i]];
}
static void by_call(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        pull(i, link[i]);
}
static void by_link(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i)
        if (link[i] >= 0 && few[link[i] % 100] > 5) {
            other[link[i]] = other[link[i]] * .5 + other[key[i]] * .25;
            if (flag[i] < 3)
                seldom[flag[i]] += other[link[i]] * seldom[3];
        }
}
static void inside(void) {
#pragma orrery parallel
    for (int i = 0; i < N; ++i) {
        int to = key[i];
        double sum = 0;
        for (int p = ptr[i]; p < ptr[i + 1]; ++p)
            if (col[p] >= flag[i])
                sum += w[col[p]][2];
        if (flag[i] > 30)
            other[to] = .5 * other[to] + .25 * sum;
        else if (sum > 1)
            w[to][2] = .5 * w[to][2] + .25 * other[(to + 5) % R];
    }
}
int main(void) {
    unsigned s = 5;
    int n = 0;
    for (int i = 0; i < N; ++i) {
        s = s * 1664525u + 1013904223u;
        key[i] = (int)((s >> 8) % R);
        s = s * 1664525u + 1013904223u;
        flag[i] = (int)((s >> 8) % 100);
        s = s * 1664525u + 1013904223u;
        link[i] = (int)((s >> 8) % (R + 100)) - 100;
        ptr[i] = n;
        for (int k = (int)(s >> 28) % 6; k > 0; --k) {
            s = s * 1664525u + 1013904223u;
            col[n++] = (int)((s >> 8) % R);
        }
    }
    ptr[N] = n;
    few = malloc(100 * sizeof *few);
    for (int i = 0; i < 100; ++i)
        few[i] = i % 11;
    for (int r = 0; r < R; ++r) {
        other[r] = r % 13 * .1;
        for (int k = 0; k < 4; ++k)
            w[r][k] = (r + k) % 17 * .1;
    }
    for (int pass = 0; pass < 4; ++pass) {
        by_data();
        by_what_is_written();
        by_pass(pass);
        by_call();
        by_link();
        inside();
    }
    double sum = 0;
    for (int r = 0; r < R; ++r)
        sum = sum * .99 + other[r] + w[r][0] + w[r][1] * 2 + w[r][2] * 3 + w[r][3] * 5;
    printf("%.17g %.17g %.17g\n", sum, seldom[0], seldom[3]);
    return 0;
}
