/* expect: serial ORR2401 10:9 `for (int j = 1; j < n; ++j) {` */
/* The loop inside may go on before it has set `t`, and its step reads it. */
#include <orrery.h>

void relax_all(int n, float A[n][n]) {
    float t;
#pragma orrery parallel
    for (int i = 1; i < n; ++i) {
        t = 3 * i;
        for (int j = 1; j < n; ++j) {
            float s = 0;
            for (int k = 0; k < 4; ++k, s += t) {
                if (k == 0)
                    continue;
                t = (float)k + A[i][j];
            }
            A[i][j] = A[i - 1][j] + 0.5f * A[i][j - 1] + s;
        }
    }
}
