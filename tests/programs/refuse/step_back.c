/* expect: serial ORR2104 6:16 `a[n - 4]` */
/* every second element, but the distance is two steps */
void skip(float *a, long count) {
#pragma orrery parallel unordered
    for (long n = 4; n < count; n += 2)
        a[n] = a[n - 4] + 1;
}
