/* expect: serial ORR2104 7:17 `best[(i - 1) * w + r]` */
void pack(int items, int room, const int *restrict weight, const long *restrict value, int w,
          long *restrict best) {
#pragma orrery parallel
    for (int i = 1; i <= items; ++i)
        for (int r = weight[i]; r <= room; ++r)
            if (best[(i - 1) * w + r] < best[(i - 1) * w + r - weight[i]] + value[i])
                best[i * w + r] = best[(i - 1) * w + r - weight[i]] + value[i];
            else
                best[i * w + r] = best[(i - 1) * w + r];
}
