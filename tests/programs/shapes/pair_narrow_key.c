/* One table reached through an id and through its lowest byte: two keys of two widths. Ends of edges that are sometimes not there.
 * loop: parallel tournament
 * loop: parallel tournament
 * result: near 0.05
 */
#include <stdio.h>
#include <stdlib.h>

struct link { unsigned short id; int other; float w; };

int main(void) {
    const int n = 20000, rows = 1000;
    struct link *l = malloc(n * sizeof *l);
    float *T = malloc(rows * 3 * sizeof *T);
    unsigned s = 7;
    for (int i = 0; i < n; i++) {
        s = s * 1664525u + 1013904223u;
        l[i].id = (unsigned short)((s >> 8) % rows);
        l[i].other = (int)((s >> 5) % rows) - 1;
        l[i].w = .001f * (s >> 28);
    }
    for (int i = 0; i < rows * 3; i++) T[i] = .01f * (i % 13);
    for (int pass = 0; pass < 3; pass++) {
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            float *a = T + l[i].id * 3, *b = T + (unsigned char)l[i].id * 3;
            for (int k = 0; k < 3; k++) {
                float d = l[i].w - a[k] * .1f;
                a[k] += .01f * d;
                b[k] += .02f * d;
            }
        }
#pragma orrery parallel unordered
        for (int i = 0; i < n; i++) {
            if (l[i].other >= 0) {
                float d = l[i].w - T[l[i].id * 3] - T[l[i].other * 3];
                T[l[i].id * 3] += .01f * d;
                T[l[i].other * 3] += .01f * d;
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < rows * 3; i++) sum += T[i];
    printf("%.5f %.5f %.5f\n", sum, T[30], T[900]);
    return 0;
}
