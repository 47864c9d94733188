/* emit: 2 */
/* What some iterations choose, in ordered loops that go by a key; many are equal. */
#include <stdio.h>
enum { N = 4000, M = 37 };
static int key[N]; static float w[M], g[N];

struct best { float x; int at; };

static void last_of_equals(struct best *b, int *found) {
    int any = -1;
#pragma orrery parallel
    for (int i = N - 1; i > 0; i -= 3) {
        if (g[i] <= b->x) { b->x = g[i]; b->at = i; }
        w[key[i]] = w[key[i]] * .5f + g[i];
        if (i % 5 == 1) any = i;
    }
    *found = any;
}

int main(void) {
    float best = -1; int at = -1, last = -1, any; long seen = 0;
    struct best b = {1e9f, -1};
    for (int i = 0; i < N; i++) { key[i] = i * 7919 % M; g[i] = (float)(i * 31 % 17); }
    for (int pass = 0; pass < 2; pass++) {
#pragma orrery parallel
    for (int i = 0; i < N; i++) {
        w[key[i]] = w[key[i]] * .5f + g[i];
        if (g[i] > best) { best = g[i]; at = i; }
        if (g[i] == 3) last = i;
    }
    }
    last_of_equals(&b, &any);
    for (int i = 0; i < M; i++) seen += (long)w[i] * i;
    printf("%g %d %d %ld %g %d %d\n", best, at, last, seen, b.x, b.at, any);
    return 0;
}
