/* expect: serial ORR2104 7:16 `b[n]` */
/* two names for one array, shifted */
void shift(float *buffer, long count) {
    float *a = buffer, *b = buffer + 1;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        a[n] = b[n] * 2;
}
