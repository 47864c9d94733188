/* expect: serial ORR2105 8:13 `row[j]` */
/* each row begins in the last element of the row before */
void add(float *a, int n, int k) {
    float *row = a;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++)
            row[j] += i;
        row += k - 1;
    }
}
