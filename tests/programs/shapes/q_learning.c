/* Tabular Q-learning over a log of transitions: the table is read at the next state and written at this one.
 * loop: parallel levels
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

#define STATES 30
#define ACTIONS 4

struct transition { int s, a, s2; float reward; };
static float Q[STATES][ACTIONS];

static float best(int s) {
    float m = Q[s][0];
    for (int a = 1; a < ACTIONS; a++) if (Q[s][a] > m) m = Q[s][a];
    return m;
}

int main(void) {
    int n = 300;
    struct transition *log = malloc(n * sizeof *log);
    for (int i = 0; i < n; i++) log[i] = (struct transition){i * 7 % STATES, i % ACTIONS, (i * 11 + 3) % STATES, (float)(i % 3)};
    for (int e = 0; e < 3; e++)
#pragma orrery parallel
        for (int i = 0; i < n; i++)
            Q[log[i].s][log[i].a] += 0.1f * (log[i].reward + 0.9f * best(log[i].s2) - Q[log[i].s][log[i].a]);
    printf("%.5f %.5f\n", Q[0][0], Q[7][1]);
    return 0;
}
