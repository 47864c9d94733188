/* emit: 1 */
/* A key read under a condition that can be told before the loop runs, and again under one that only
 * the loop knows: the list of what an iteration touches left the second out where the first was
 * false. */
#include <stdio.h>

static unsigned M[64][8], T[16][16];

int main(void) {
    int n = 24;
    unsigned x = 12345;
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 8; ++j)
            M[i][j] = x = x * 1664525u + 1013904223u;
    for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
            T[i][j] = x = x * 1664525u + 1013904223u;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        for (long j = i + 1; j < n; ++j)
            M[i + 1][0] = M[i + 1][0] * 3u + T[(i + 1) % 16][j % 4];
        for (int j = 0; j < 4; ++j) {
            T[(i + 2) % 16][j] ^= M[i + 2][j];
            if (M[i + 1][5] & 2)
                M[i + 3][2] |= T[(i + 1) % 16][j];
        }
    }
    for (int i = 0; i < 64; ++i)
        printf("%u %u %u\n", M[i][0], M[i][2], T[i % 16][i / 4 % 16]);
    return 0;
}
