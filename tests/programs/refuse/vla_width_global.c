/* expect: serial ORR2105 11:23 `q[i][j] * .5 + 1` */
/* another file may change the width that the rows had when the function was called */
extern int width;
void change(void);

void pass(int n, double (*q)[width]) {
    change();
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < width; ++j)
            q[i][j] = q[i][j] * .5 + 1;
}
