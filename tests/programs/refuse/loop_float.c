/* expect: serial ORR2223 5:5 `for (` */
/* a variable that is not whole */
void table(float *a) {
#pragma orrery parallel unordered
    for (float x = 0; x < 1; x += .125f)
        a[(int)(x * 8)] = x;
}
