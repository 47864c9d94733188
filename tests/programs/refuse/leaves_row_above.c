/* expect: serial ORR2241 8:23 `b[i][j + 1]` */
static double b[40][30];

void move(void) {
#pragma orrery parallel
    for (int i = 0; i < 39; i++)
        for (int j = 0; j < 30; ++j)
            b[i][j] = b[i][j + 1];
}
