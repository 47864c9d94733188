/* same: 3 */
/* What a key's variable holds is used behind the loop: it was the number that the key has in the
 * run. */
#include <stdio.h>

enum { N = 500, M = 60 };

struct row {
    int pad, key;
};

static int key[N];
static struct row rows[N];
static unsigned h[M], g[M];

static int last_of(const int *restrict keys, unsigned *restrict to, int n) {
    int j = 0, last = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        last = i;
        j = keys[i];
        to[j] += (unsigned)i * 3 + (to[j] & 1 ? 2 : 4);
    }
    return j - keys[last];
}

static int row_of(const struct row *restrict all, unsigned *restrict to, int n) {
    struct row r = {0, 0};
    int last = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        last = i;
        r = all[i];
        to[r.key] += (unsigned)i * 3 + (to[r.key] & 1 ? 2 : 4);
    }
    return r.key - all[last].key;
}

static int before(const int *restrict keys, unsigned *restrict to, int n) {
    int j = 0, was, last = 0;
#pragma orrery parallel unordered
    for (int i = 0; i < n; ++i) {
        last = i;
        was = keys[i];
        j = was;
        to[was] += (unsigned)i * 5 + (to[was] & 1 ? 2 : 4);
    }
    return j - keys[last];
}

int main(void) {
    for (int i = 0; i < N; ++i)
        rows[i].key = key[i] = (i * 7919 + i / 3) % M;
    int n = N - 3, a = last_of(key, h, n), b = row_of(rows, g, n), c = before(key, h, n);
    unsigned sum = 0;
    for (int i = 0; i < M; ++i)
        sum = sum * 31 + (h[i] & 1) + (g[i] & 1);
    printf("%d %d %d %u\n", a, b, c, sum);
}
