/* expect: serial ORR2201 14:18 `remember(` */
/* the called function writes a global that it also reads */
static float memory;

static float remember(float value) {
    float old = memory;
    memory = value;
    return old;
}

void delay(float *out, const float *in, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = remember(in[n]);
}
