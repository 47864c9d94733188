/* expect: serial ORR2278 10:21 `1000 / weight[n]` */
/* says: where a better one is found, which depends on the iterations before */
int share_of_nearest(const double *distance, const int *weight, int n_points) {
    double best = 1e300;
    int share = -1;
#pragma orrery parallel
    for (int n = 0; n < n_points; ++n)
        if (distance[n] < best) {
            best = distance[n];
            share = 1000 / weight[n];
        }
    return share;
}
