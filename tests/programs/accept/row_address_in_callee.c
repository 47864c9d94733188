/* expect: parallel independent
 * dims: i
 */
static double u[13][13][13][5];

static void exact(int i, double *at) {
    for (int m = 0; m < 5; m++)
        at[m] = i + m;
}

void faces(int nx, int ny, int nz) {
#pragma orrery parallel
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++) {
            exact(i, &u[i][j][0][0]);
            exact(i, &u[i][j][nz - 1][0]);
        }
}
