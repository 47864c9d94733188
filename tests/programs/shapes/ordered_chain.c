/* Time series smoothed per sensor in the order of the readings, several rows of state by one key.
 * loop: parallel partition-1d
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct reading { unsigned sensor : 6; float value; } reading;
static float level[64], trend[64], last[64][3];

int main(void) {
    reading *r = malloc(600 * sizeof *r);
    for (int i = 0; i < 600; i++) r[i].sensor = i * 23 % 64, r[i].value = (float)(i % 31);
    #pragma orrery parallel
    for (reading *p = r; p < r + 600; p++) {
        unsigned s = p->sensor;
        float before = level[s];
        level[s] = 0.3f * p->value + 0.7f * (level[s] + trend[s]);
        trend[s] = 0.1f * (level[s] - before) + 0.9f * trend[s];
        last[s][2] = last[s][1], last[s][1] = last[s][0], last[s][0] = p->value;
    }
    for (int s = 0; s < 64; s += 9) printf("%.6f %.6f %.1f\n", level[s], trend[s], last[s][2]);
    return 0;
}
