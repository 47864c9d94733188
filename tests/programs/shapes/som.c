/* A self-organizing map: every sample moves every node a little.
 * loop: serial ORR2112|ORR2104
 */
#include <math.h>
#include <stdio.h>

static float map[10][2], sample[100][2];

int main(void) {
    for (int i = 0; i < 10; i++) map[i][0] = i * .1f, map[i][1] = .5f;
    for (int i = 0; i < 100; i++) sample[i][0] = (i * 7 % 10) * .1f, sample[i][1] = (i % 9) * .1f;
#pragma orrery parallel unordered
    for (int s = 0; s < 100; s++) {
        int win = 0;
        float best = INFINITY;
        for (int i = 0; i < 10; i++) {
            float a = map[i][0] - sample[s][0], b = map[i][1] - sample[s][1], d = a * a + b * b;
            if (d < best) best = d, win = i;
        }
        for (int i = 0; i < 10; i++) {
            float h = .1f * expf(-(float)((i - win) * (i - win)));
            map[i][0] += h * (sample[s][0] - map[i][0]);
            map[i][1] += h * (sample[s][1] - map[i][1]);
        }
    }
    printf("%.5f\n", map[4][0]);
    return 0;
}
