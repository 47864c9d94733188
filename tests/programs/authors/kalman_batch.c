/*
 * A Kalman filter of constant velocity for a batch of tracks; an error path prints and exits.
 * loop: parallel independent
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    double x[2];
    double P[2][2];
    int steps;
    double *z;
} track_t;

static void predict(track_t *t, double dt, double q) {
    t->x[0] += dt * t->x[1];
    double p00 = t->P[0][0] + dt * (t->P[1][0] + t->P[0][1]) + dt * dt * t->P[1][1] + q;
    double p01 = t->P[0][1] + dt * t->P[1][1];
    double p10 = t->P[1][0] + dt * t->P[1][1];
    t->P[0][0] = p00;
    t->P[0][1] = p01;
    t->P[1][0] = p10;
    t->P[1][1] += q;
}

static void correct(track_t *t, double z, double r) {
    double s = t->P[0][0] + r;
    if (s <= 0) {
        fprintf(stderr, "singular innovation %g\n", s);
        exit(EXIT_FAILURE);
    }
    double k0 = t->P[0][0] / s, k1 = t->P[1][0] / s, y = z - t->x[0];
    t->x[0] += k0 * y;
    t->x[1] += k1 * y;
    double p00 = t->P[0][0], p01 = t->P[0][1];
    t->P[0][0] -= k0 * p00;
    t->P[0][1] -= k0 * p01;
    t->P[1][0] -= k1 * p00;
    t->P[1][1] -= k1 * p01;
}

int main(void) {
    int n = 150;
    track_t *tracks = calloc(n, sizeof(track_t));
    srand(13);
    for (int i = 0; i < n; i++) {
        tracks[i].P[0][0] = tracks[i].P[1][1] = 10;
        tracks[i].steps = 10 + rand() % 30;
        tracks[i].z = malloc(tracks[i].steps * sizeof(double));
        for (int s = 0; s < tracks[i].steps; s++)
            tracks[i].z[s] = s * 0.5 + rand() % 100 / 100.0;
    }
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        track_t *t = &tracks[i];
        for (int s = 0; s < t->steps; s++) {
            predict(t, 1, 0.01);
            correct(t, t->z[s], 0.5);
        }
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += tracks[i].x[0] + tracks[i].x[1] * i;
    printf("%.17g\n", sum);
    return 0;
}
