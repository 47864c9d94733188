/* emit: 2, one rank */
/* A key that only some iterations have kept others apart,
 * of which a condition says that they agree in it. */
#include <stdio.h>

enum { N = 60 };

static unsigned halves[N], more[N], w[N];
static unsigned char c[N];
static int k[N];

static void by_place(int n) {
#pragma orrery parallel unordered grid(3, 1)
    for (int i = n - 1; i >= 0; --i)
        if (i - 1 >= 19)
            c[i > 10 ? i - 10 : i] = (unsigned char)(halves[i >> 1] * 3u + 1);
        else if (i >> 1 != 19)
            halves[i / 2] = w[i] * 3u + 1;
}

static void by_data(int n) {
#pragma orrery parallel unordered grid(5, 1)
    for (int i = 0; i < n; ++i)
        if (w[i] % 3 == 0)
            more[30 + k[i] / 2] = (more[30 + k[i] / 2] + w[i]) & 0xffffff;
        else if (k[i] >> 1 != 40)
            more[k[i] >> 1] = (more[k[i] >> 1] + 7 * w[i]) & 0xffffff;
}

int main(void) {
    for (int i = 0; i < N; ++i) {
        w[i] = (unsigned)(i * i * 7 % 101);
        k[i] = i * 11 % 24;
    }
    by_place(N);
    by_data(N);
    unsigned h = 0;
    for (int i = 0; i < N; ++i)
        h = h * 31 + halves[i] + more[i] * 7 + c[i];
    printf("%u\n", h);
    return 0;
}
