/* expect: serial ORR2241 8:23 `m[0][i + 50]` */
/* the next row, wherever the loop ends */
static float m[50][50];
void run(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        m[1][i] = (float)i;
        m[2][i] = 2 * m[0][i + 50];
    }
}
