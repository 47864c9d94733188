/* expect: serial ORR2226 5:9 `switch (k[n]) {` */
void spread(int *restrict out, const int *restrict k, long count) {
#pragma orrery parallel
    for (long n = 0; n < count; ++n) {
        switch (k[n]) {
        case 0:
            for (int i = 0; i < 3; ++i) {
        case 1:
                out[n] += i;
            }
        }
    }
}
