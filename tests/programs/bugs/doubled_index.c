/* emit: 1 */
/* A body that reads at twice the index it writes at: gcc 12 lost the call of such a function. */
#include <stdio.h>

struct row {
    unsigned x, z[4];
};

static struct row rows[128];

int main(void) {
    int n = 24;
    for (int i = 0; i < 128; ++i)
        for (int j = 0; j < 4; ++j)
            rows[i].z[j] = (unsigned)(i * 10 + j);
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        rows[i].z[1] -= rows[i * 2 + 2].z[0];
    for (int i = 0; i < 26; ++i)
        printf("%u\n", rows[i].z[1]);
    return 0;
}
