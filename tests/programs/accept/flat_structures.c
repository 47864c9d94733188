/* expect: parallel independent ordered
 * dims: i
 */
struct point {
    double x, v[4];
};
static struct point grid[4096];

void rows(int n, int K) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < K; ++j)
            grid[i * K + j].v[2] = grid[i * K].v[1] + grid[i * K + j].x;
}
