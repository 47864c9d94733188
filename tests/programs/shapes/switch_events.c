/* Events of four kinds: a switch chooses what an event teaches, counts or skips; a break of a switch in a loop inside.
 * loop: parallel rotation-2d
 * loop: parallel reduction
 * result: near .02
 */
#include <stdio.h>
#include <stdlib.h>
enum kind { CLICK = 1, BUY, VIEW, SKIP };
struct event { int user, item; enum kind kind; float w; };
#define D 8
float P[100][D], Q[50][D];
int counts[5]; double total;
static unsigned hist[16];
int main(void) {
    int n = 2000; long skipped = 0; double mass = 0;
    for (int i = 0; i < 100 * D; i++) P[i / D][i % D] = (i % 7) * .1f;
    struct event *ev = malloc(n * sizeof *ev);
    for (int i = 0; i < n; i++) ev[i] = (struct event){rand() % 100, rand() % 50, 1 + rand() % 4, (rand() % 100) / 100.f};
    for (int ep = 0; ep < 3; ep++) {
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            float target;
            switch (ev[i].kind) {
            case CLICK: target = 1; break;
            case BUY: target = 3; mass += ev[i].w; break;
            case VIEW: target = .2f; break;
            default: skipped++; continue;
            }
            float *p = P[ev[i].user], *q = Q[ev[i].item], e = target;
            for (int d = 0; d < D; d++) e -= p[d] * q[d];
            for (int d = 0; d < D; d++) { float o = p[d]; p[d] += .01f * e * (q[d] + .1f); q[d] += .01f * e * (o + .1f); }
        }
#pragma orrery parallel
        for (int i = 0; i < n; i++) {
            float v;
            switch (ev[i].kind) {
            case CLICK: case BUY: v = ev[i].w; hist[i % 16]++; break;
            case VIEW: v = 0; break;
            case SKIP: v = 1;
            }
            ev[i].w = v;
            for (int d = 0; d < 3; d++) switch (d) { case 0: ev[i].w *= 2; break; case 2: if (ev[i].w > 1) break; ev[i].w *= .5f; }
        }
    }
    printf("%g %g %ld %g %u\n", P[1][1], Q[1][1], skipped, mass, hist[3]);
    return 0;
}
