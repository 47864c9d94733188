/* expect: serial ORR2201 7:18 `x;` */
/* x grows from one iteration to the next */
void ramp(float *out, long count, float step) {
    float x = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        out[n] = x;
        x += step;
    }
}
