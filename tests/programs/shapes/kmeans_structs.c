/* K-means with points and clusters as structs; the sums live in the cluster beside the centre.
 * loop: parallel reduction
 * result: near 1e-6
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vec3 { double x, y, z; };
struct cluster { struct vec3 center, total; long members; };
struct point { struct vec3 at; int cluster; };

static double dist2(struct vec3 a, struct vec3 b) {
    double dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

int main(void) {
    enum { N = 240, K = 4 };
    struct point *p = malloc(N * sizeof *p);
    struct cluster *c = calloc(K, sizeof *c);
    for (int i = 0; i < N; i++) {
        p[i].at = (struct vec3){(i * 37 % 50) * .2, (i * 13 % 29) * .3, i % K * 4.0};
        p[i].cluster = -1;
    }
    for (int k = 0; k < K; k++) c[k].center = p[k].at;
    for (int round = 0; round < 4; round++) {
        double inertia = 0;
        for (int k = 0; k < K; k++) c[k].total = (struct vec3){0, 0, 0}, c[k].members = 0;
        #pragma orrery parallel unordered
        for (int i = 0; i < N; i++) {
            int best = 0;
            double d = dist2(p[i].at, c[0].center);
            for (int k = 1; k < K; k++) {
                double t = dist2(p[i].at, c[k].center);
                if (t < d) { d = t; best = k; }
            }
            p[i].cluster = best;
            c[best].total.x += p[i].at.x;
            c[best].total.y += p[i].at.y;
            c[best].total.z += p[i].at.z;
            c[best].members += 1;
            inertia += d;
        }
        for (int k = 0; k < K; k++)
            if (c[k].members) {
                c[k].center.x = c[k].total.x / c[k].members;
                c[k].center.y = c[k].total.y / c[k].members;
                c[k].center.z = c[k].total.z / c[k].members;
            }
        printf("%.6f\n", inertia);
    }
    return 0;
}
